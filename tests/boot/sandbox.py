"""What a unit's sandbox denies, tried within it on a machine with a real systemd."""

PROBE = r'''
import ctypes, os, socket, sys
def tries(name, do):
    """In a process of its own: some system calls end whoever makes them."""
    child = os.fork()
    if child == 0:
        try:
            do()
            print(name, "ALLOWED", flush=True)
        except FileNotFoundError:
            print(name, "missing", flush=True)
        except OSError as error:
            print(name, "denied:", error.strerror, flush=True)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        print(name, "denied: ended by signal", os.WTERMSIG(status), flush=True)
folders = ("/etc", "/usr", "/var/lib", "/var/lib/pegboard-trees", "/root", "/home", "/boot")
for path in [folder + "/x" for folder in (*folders, *sys.argv[1:])]:
    tries("write " + path, lambda: open(path, "w"))
for path in ("/dev/net/tun", "/dev/vda", "/dev/mem", "/dev/kmsg", "/dev/ttyS0", "/dev/rtc0"):
    tries("device " + path, lambda: open(path, "rb"))
for path in ("/etc/shadow", "/root/.ssh/authorized_keys"):
    tries("read " + path, lambda: open(path, "rb"))
tries("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
tries("packets", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
tries("clock", lambda: __import__("time").clock_settime(0, 0))
tries("name", lambda: socket.sethostname("x"))
libc = ctypes.CDLL(None, use_errno=True)
def call(*words):
    if libc.syscall(*words) < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
tries("mount", lambda: call(165, b"none", b"/mnt", b"tmpfs", 0, None))
tries("namespace", lambda: call(272, 0x10000000))
tries("bpf", lambda: call(321, 0, None, 0))
own = os.path.join(os.environ["STATE_DIRECTORY"], "probe")
open(own, "w").close()
os.unlink(own)
print("state WRITTEN", flush=True)
'''
"""Tried inside the sandbox, as its account; system calls by their numbers on x86_64. Anybody may open /dev/net/tun
where the policy of devices does not forbid it.
"""


def denies_all_but_its_own(machine, capsys, unit, *, folder, not_in=()):
    """Try all of it with the properties of a unit, which writes to `folder` in /var/lib, and to none of `not_in`."""
    path = f"/usr/lib/systemd/system/{unit}.service"
    properties = machine.says(f"sed -n '/^CapabilityBoundingSet/,/^SystemCallFilter=~/p' {path} | grep -v '^#'")
    words = " ".join(f"-p '{line}'" for line in properties.splitlines())
    machine.run(f"cat >/run/probe.py <<'PROBE'\n{PROBE}\nPROBE\n")
    line = f"systemd-run -q --wait --pipe -p User=pegboard -p StateDirectory={folder}"
    found = machine.says(f"{line} {words} /usr/bin/python3 /run/probe.py {' '.join(not_in)} 2>&1")
    missing = {line.removesuffix(" missing") for line in found.splitlines() if line.endswith(" missing")}
    with capsys.disabled():
        print(f"\n{found}\nnot proved here, as missing: {', '.join(sorted(missing)) or 'nothing'}")
    assert found.splitlines()[-1] == "state WRITTEN"
    assert "ALLOWED" not in found
    if "PrivateDevices=yes" in properties:
        missing -= {name for name in missing if name.startswith("device ")}  # its own /dev has none of them
    else:
        assert "device /dev/net/tun denied" in found
    assert missing <= machine.unproved
    assert len(found.splitlines()) > 15
