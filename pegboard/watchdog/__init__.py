"""The watchdog: notices which part of the program does not go on, names it, and has systemd start the program again.

The law of this room: it waits for nothing that it watches and writes no file. Parts note what they are doing as they do
it, so that looking costs a few reads of memory.
"""
