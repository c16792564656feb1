"""Displays and inputs: device health, device registry, brightness; also alarms, power switch, clock and voltage."""
