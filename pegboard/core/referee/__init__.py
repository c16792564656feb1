"""The referee: decides whether a command is allowed, and applies events to the score sheet."""
