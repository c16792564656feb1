"""Hardware self-test: finds pins, buses, keypad and other packages' devices, and tries them one by one."""
