"""Access control: pairing codes, sessions of paired devices, the secret that signs their cookies, and invitations."""
