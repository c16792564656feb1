"""Access control: pairing codes, sessions of paired devices, the secret that signs them, and how others join."""
