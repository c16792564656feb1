"""Builds what is handed out: the wheel, the Debian package, their signature and their bills of materials.

It also pins what they are built from, and looks up licences and known faults of that.

The law of this room: it runs on the machine of a developer, is in no package, and imports the installer and the
packages of the extra `build`.
"""
