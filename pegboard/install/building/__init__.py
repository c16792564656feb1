"""Release builds: the wheel, the Debian package, its signature, and software bills of materials (SBOMs).

Also pins the dependencies, and looks up their licenses and known vulnerabilities.

Rule of this package: it runs on a developer's machine, is not part of any package, and imports the installer and the
packages of the extra `build`.
"""
