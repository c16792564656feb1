"""Button and keypad inputs: debounce, the press state machine, and their threads."""
