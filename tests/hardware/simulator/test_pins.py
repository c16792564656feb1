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
