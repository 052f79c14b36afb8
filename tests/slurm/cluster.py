"""A small Slurm cluster on this machine: a controller, three node daemons and munge, all in a temporary folder.

Nothing is installed and nothing outside the folder is changed. Leaving the `with` block ends every process that was
started, job steps too: this process adopts orphans, so whatever is left at the end is a child of it.
"""

import ctypes
import getpass
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

NODES = ["n1", "n2", "n3"]
PROGRAMS = ["slurmctld", "slurmd", "munged", "sbatch", "scancel", "scontrol", "sinfo", "squeue"]
START_SECONDS = 60

# Daemons are in sbin, which is not on every user's path.
PATH = os.environ.get("PATH", os.defpath) + os.pathsep + "/usr/sbin" + os.pathsep + "/sbin"

CONFIGURATION = """\
ClusterName=prodmax
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SchedulerParameters=sched_interval=2,bf_interval=2
ReturnToService=2
KillWait=5
NodeName=n[1-3] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{ports[1]}-{ports[3]}] CPUs=1 RealMemory={memory} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class ClusterError(Exception):
    """A daemon that does not do what it should."""


def missing():
    """Why no cluster can be started here; None if one can."""
    for program in PROGRAMS:
        if shutil.which(program, path=PATH) is None:
            return f"{program} was not found; on Debian, apt-get install slurm-wlm munge installs it"
    if os.geteuid() == 0:
        try:
            pwd.getpwnam("munge")
        except KeyError:
            return "munged must not run as root, and there is no user munge"
    return None


def free_ports(number):
    """Consecutive ports that are free at the moment."""
    for _ in range(100):
        with socket.socket() as first:
            first.bind(("127.0.0.1", 0))
            start = first.getsockname()[1]
        others = [socket.socket() for _ in range(number)]
        try:
            for place, other in enumerate(others):
                other.bind(("127.0.0.1", start + place))
            return list(range(start, start + number))
        except (OSError, OverflowError):
            continue
        finally:
            for other in others:
                other.close()
    raise ClusterError(f"no {number} consecutive ports are free")


class Cluster:
    """The daemons; use it in a `with` statement."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="prodmax-slurm-"))
        self.daemons = []
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"), PATH=PATH)
        # A task must not take this process for the job that it is part of.
        for name in [name for name in self.environment if name.startswith(("SLURM_", "SBATCH_"))]:
            if name != "SLURM_CONF":
                del self.environment[name]

    def __enter__(self):
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self._end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self):
        adopt_orphans()
        self.folder.chmod(0o755)
        for name in ["munge", "state", "work", *NODES]:
            (self.folder / name).mkdir()
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // (1 << 20)
        text = CONFIGURATION.format(
            folder=self.folder,
            host=socket.gethostname().split(".")[0],
            ports=free_ports(1 + len(NODES)),
            user=getpass.getuser(),
            memory=memory // (2 * len(NODES)),
        )
        (self.folder / "slurm.conf").write_text(text)
        self._start_munge()
        self._daemon(["slurmctld", "-D", "-c"])
        for node in NODES:
            self._daemon(["slurmd", "-D", "-N", node])
        self._wait(lambda: self.run("sinfo", "-h", "-N", "-o", "%T").split() == ["idle"] * len(NODES), "all nodes")

    def _start_munge(self):
        folder = self.folder / "munge"
        key = folder / "key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o600)
        how = {}
        if os.geteuid() == 0:
            user = pwd.getpwnam("munge")
            for path in [folder, key]:
                os.chown(path, user.pw_uid, user.pw_gid)
            how = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        options = {"key-file": "key", "socket": "socket", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        options = [f"--{option}={folder / name}" for option, name in options.items()]
        self._daemon(["munged", "--foreground", *options], **how)
        self._wait((folder / "socket").exists, "munged")

    def _daemon(self, command, **how):
        with open(self.folder / f"daemon{len(self.daemons)}.out", "wb") as log:
            process = subprocess.Popen(
                command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder, **how
            )
        self.daemons.append((command[0], process))

    def _wait(self, ready, what):
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            for name, process in self.daemons:
                if process.poll() is not None:
                    raise ClusterError(f"{name} ended with status {process.returncode}\n{self.logs()}")
            try:
                if ready():
                    return
            except ClusterError:
                pass
            time.sleep(0.2)
        raise ClusterError(f"{what} did not come up within {START_SECONDS} s\n{self.logs()}")

    def logs(self):
        """The last lines of all logs."""
        paths = sorted([*self.folder.glob("*.log"), *self.folder.glob("*.out")])
        tails = ["\n".join(path.read_text(errors="replace").splitlines()[-8:]) for path in paths]
        return "\n".join(f"{path.name}:\n{tail}" for path, tail in zip(paths, tails) if tail)

    def run(self, *command):
        """What a command of Slurm prints."""
        result = subprocess.run(command, env=self.environment, capture_output=True, text=True, cwd=self.folder / "work")
        if result.returncode != 0:
            raise ClusterError(f"{' '.join(command)}: {result.stderr.strip() or result.stdout.strip()}")
        return result.stdout

    def _end(self):
        """Ends the daemons in the opposite order, then every job step that is left."""
        try:
            self.run("scancel", "--user", getpass.getuser())
        except (ClusterError, OSError):
            pass
        for _, process in reversed(self.daemons):
            if process.poll() is None:
                process.terminate()
        for _, process in reversed(self.daemons):
            try:
                process.wait(timeout=15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        end = time.monotonic() + 15
        while left := descendants(os.getpid()):
            for process in left:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            try:
                while os.waitpid(-1, os.WNOHANG) != (0, 0):
                    pass
            except ChildProcessError:
                pass
            if time.monotonic() > end:
                raise ClusterError(f"processes {left} do not end")
            time.sleep(0.05)


def adopt_orphans():
    """Makes this process the parent of those whose parent ends: job steps detach themselves from their daemon."""
    set_child_subreaper = 36
    if ctypes.CDLL(None, use_errno=True).prctl(set_child_subreaper, 1, 0, 0, 0) != 0:
        raise ClusterError("this system does not let a process adopt orphans (PR_SET_CHILD_SUBREAPER)")


def descendants(ancestor):
    """The processes below one."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                status = Path("/proc", entry, "stat").read_text()
            except OSError:
                continue
            parents[int(entry)] = int(status.rsplit(")", 1)[1].split()[1])
    found = [ancestor]
    for process in found:
        found += [child for child, parent in parents.items() if parent == process]
    return found[1:]
