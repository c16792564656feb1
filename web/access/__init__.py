"""Access control: pairing codes, paired devices and their file, sessions, secret that signs cookies, invitations."""
