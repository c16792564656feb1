"""Red, green and blue in the order in which a chip takes its channels; white shines for what all three share. Pure."""


def arranged(rgb: bytes, order: str) -> bytes:
    """The channels of each LED in an order such as "grb", or "grbw" for a chip with a white channel.

    Args:
        rgb: red, green and blue of each LED as light, not as a screen has them.
        order: the chip's channels, by their first letters.
    """
    light = {"r": rgb[0::3], "g": rgb[1::3], "b": rgb[2::3]}
    if "w" in order:
        light = _whitened(light)
    wire = bytearray(len(order) * (len(rgb) // 3))
    for place, channel in enumerate(order):
        wire[place :: len(order)] = light[channel]
    return bytes(wire)


def _whitened(light: dict[str, bytes]) -> dict[str, bytes]:
    white = bytes(map(min, *light.values()))
    return {channel: _less(values, white) for channel, values in light.items()} | {"w": white}


def _less(values: bytes, by: bytes) -> bytes:
    """Each value less the other's, all at once as two long numbers: none is smaller than what goes, so none borrows."""
    return (int.from_bytes(values, "big") - int.from_bytes(by, "big")).to_bytes(len(values), "big")
