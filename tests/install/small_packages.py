"""Packages with a small program in place of pegboard, and a service that a test plays: for tests of the installer."""

import json
import subprocess

from pegboard.install.building import tree as building_tree
from pegboard.install.building.source import make_key, sign
from pegboard.install.host import InstalledPaths
from pegboard.install.installed_versions import DIGEST
from pegboard.install.installer import Installer
from pegboard.install.service_control import ServiceState

PROGRAM = """
import http.server, json, os, pathlib, signal, socket, sys, time
VERSION, HOW = {version!r}, {how!r}
words = sys.argv[1:]
state = pathlib.Path(words[words.index("--state") + 1])
if HOW == "refuses":
    sys.exit("pegboard: pegboard.toml, line 3: there is no setting colour")
if HOW == "is older" and (state / "newer.json").exists():
    sys.exit("pegboard: journal.db was written by a newer pegboard")
if HOW == "breaks":
    import no_such_module
class Health(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        answer = json.dumps({{"service": {{"version": "9.9.9" if HOW == "lies" else VERSION}}}}).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(answer)
    def log_message(self, *_):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Health)
url = f"http://127.0.0.1:{{server.server_port}}/"
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
    line.sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])
time.sleep(0.1)  # pegboard, too, notes its address after it is ready
(state / "pairing.json").write_text(json.dumps({{"table": {{"url": url}}}}))
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
server.serve_forever()
"""


class Workshop:
    """A folder in which packages are made, with a key of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.key = folder / "key.pem"
        self.public = bytes.fromhex(make_key(self.key))

    def tree(self, version, how="works", python=(3, 11), host_files=1):
        """The archive of a tree whose program works, or fails in one way."""
        folder = self.folder / f"tree-{version}-{how}"
        (folder / "pegboard" / "storage").mkdir(parents=True, exist_ok=True)
        for path in ("pegboard/__init__.py", "pegboard/storage/__init__.py"):
            (folder / path).write_text("", "utf-8")
        copying = "def copy_scores(folder, target):\n    for path in folder.glob('*.json'):\n"
        copying += "        (target / path.name).write_bytes(path.read_bytes())\n"
        (folder / "pegboard/storage/schema.py").write_text(copying, "utf-8")
        (folder / "run.py").write_text(PROGRAM.format(version=version, how=how), "utf-8")
        (folder / "MANIFEST.json").unlink(missing_ok=True)
        building_tree.write_manifest(folder, version)
        manifest = json.loads((folder / "MANIFEST.json").read_text())
        changed = manifest | {"python": list(python), "host_files": host_files}
        (folder / "MANIFEST.json").write_text(json.dumps(changed))
        return building_tree.pack_tree(folder)

    def package(self, version, how="works", *, archive=None, signed=True, name="pegboard", **more):
        """A package of that version, made once; signed with the workshop's key."""
        path = self.folder / f"{name}_{version}_{how}.deb"
        if path.exists() and archive is None:
            return path
        root = self.folder / f"root-{version}-{how}-{name}"
        (root / "usr/lib/pegboard").mkdir(parents=True, exist_ok=True)
        (root / "usr/lib/pegboard/tree.tar.xz").write_bytes(archive or self.tree(version, how, **more))
        (root / "DEBIAN").mkdir(exist_ok=True)
        fields = f"Package: {name}\nVersion: {version}\nArchitecture: all\nMaintainer: Ann <ann@example.org>\n"
        (root / "DEBIAN/control").write_text(f"{fields}Description: small\n", "utf-8")
        words = ["dpkg-deb", "--build", "--root-owner-group", "-Zxz", str(root), str(path)]
        subprocess.run(words, check=True, capture_output=True)
        if signed:
            sign(path, self.key)
        return path


class PlayedService:
    """A service whose versions do what a test says: "works", "ends" or "hangs"."""

    def __init__(self, paths):
        self.paths, self.now, self.how, self.runs, self.playing = paths, 0.0, {}, None, False
        self.status, self.started_at, self.starts, self.restarts = 1, 0.0, [], 5
        self.is_listening, self.result = True, "exit-code"

    def clock(self):
        return self.now

    def is_managed(self):
        return True

    def is_playing(self):
        return self.playing

    def restart(self):
        self.runs, self.started_at = (self.paths.trees / "current").readlink().name, self.now
        self.starts.append(self.runs)

    start = restart

    def stop_listening(self):
        self.is_listening = False

    def look(self):
        does = self.how.get(self.runs, "works")
        late = self.now - self.started_at >= 1
        active = "activating" if not late or does == "hangs" else "failed" if does == "ends" else "active"
        return ServiceState(active, "running", str(len(self.starts)), self.status, self.restarts, self.result)

    def version(self):
        return DIGEST.sub("", self.runs) if self.look().active == "active" else None

    def pause(self):
        self.now += 0.1

    def fault(self):
        return "the disk is on fire"


class Machine:
    """A machine with nothing on it but the installer."""

    def __init__(self, folder, workshop):
        self.workshop, self.paths = workshop, InstalledPaths(folder)
        self.paths.state.mkdir(parents=True)
        (self.paths.state / "journal").write_bytes(b"scores")
        (folder / "usr/lib/pegboard").mkdir(parents=True)
        self.service = PlayedService(self.paths)
        self.start_anew()

    def start_anew(self):
        """A new process, as after a power cut."""
        self.installer = Installer(self.paths, self.service)
        self.versions = self.installer.versions

    def install(self, version, how="works"):
        """What the package's script does after dpkg has unpacked it."""
        (self.paths.root / "usr/lib/pegboard/tree.tar.xz").write_bytes(self.workshop.tree(version, how))
        return self.installer.install_package_tree()

    def update(self, path, **more):
        return self.installer.update(path, [self.workshop.public], **more)

    def content(self):
        """Every file below the root and what it holds, but the lock."""
        found = {}
        for path in sorted(self.paths.root.rglob("*")):
            if path.is_symlink():
                found[str(path)] = str(path.readlink())
            elif path.is_file() and path.name != ".lock":
                found[str(path)] = path.read_bytes()
        return found
