"""Everything with a wire: keys, panel, LED strip, and their stand-ins.

`drawing` makes the pictures, `panel` brings them onto the glass, `lights` onto the strip; `standin` takes their place.

The law of this room: it may import `pegboard`, gpiozero, luma, pillow, smbus2, spidev and evdev, never `web`. What is
drawn, lit or meant by a press is a pure function or a machine that is told the time; the device round it is thin. A
wire may fail at any moment and the game goes on: an error ends in a sentence on the health page, never in the
scoreboard.

A display is a class, named by an entry point of the group `pegboard.displays`:

* `Display(settings, wires)` checks its settings and touches no wire. Raises `DeviceError` when they cannot work.
* `show(view)` opens the wire when needed and shows the whole view; it may block and may raise, and is called in a
  thread of its own. After an error the object is closed, and a new one is made and shown the newest view. One that
  does not come back for some seconds is said to hang, and delays nothing but itself.
* `close()` lets go of the wire; it may be called twice.
* `name` and `about` are words for people; `refresh_s`, read after each view, is after how many seconds the same view is
  shown again if no newer one comes, or None.

An input is a class, named by an entry point of the group `pegboard.inputs`:

* `Input(settings, wires, door)` checks its settings and touches no wire. `hardware.door.Door` is what may be done at
  the door. Raises `DeviceError` when the settings cannot work.
* `start()` begins to listen. Raises `DeviceError` with a remedy.
* `close()` stops; it may be called twice.
* `name` is a word for people. An input may have a property `health`, a `pegboard.health.Health`, which is looked at
  every few seconds and may neither wait nor raise; and `mend()`, called before each look, which does what takes time:
  try again what could not be had.

One of an entry point's name whose section of the settings says `enabled = false` is not made.

`hardware.wires.Wires` says what the wires are.
"""
