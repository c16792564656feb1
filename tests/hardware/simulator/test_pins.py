"""Pins of simulated keys: what a kernel would tell of their contacts, and in which order."""

import time

from hardware.simulator.pins import BOUNCE_S, SimulatedPins


def test_edges_of_all_keys_come_in_the_order_of_their_times_on_a_machine_that_is_held_up():
    told = []

    def hold_up(pin, _level, at_s):
        told.append((at_s, pin))
        time.sleep(2 * BOUNCE_S)

    pins = SimulatedPins(hold_up)
    for pin in (4, 6, 17):
        pins.press(pin, bounces=3)
    for pin in (4, 6, 17):
        pins.come_to_rest(pin)
    assert len(told) == 3 * 7
    assert told == sorted(told)


def test_what_a_key_was_before_takes_no_memory():
    """A table with stand-in hardware may run for weeks."""
    told = []

    def tell(at_s, level):
        told.append((at_s, level))

    pins = SimulatedPins()
    key = pins.factory.pin(4)
    key.pull, key.when_changed = "up", tell
    for _ in range(50):
        pins.press(4)
        pins.release(4)
    assert [level for _, level in told] == 50 * [0, 1]
    assert told == sorted(told)
    assert len(key.states) == 1
