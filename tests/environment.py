"""What verification scripts share: running in an environment where a package can be imported, skipping, recording."""

import os
import subprocess
import sys
from pathlib import Path


def skip(name, why):
    """Says why nothing is verified. This is not a failure."""
    print(f"{name}: {why}")
    print(f"{name}: SKIPPED")
    return 0


def run_again(name, package, venv):
    """Runs the current script again, in a virtual environment with its requirements.txt."""
    script = Path(sys.argv[0]).resolve()
    python = Path(venv) / "bin" / "python"
    if os.environ.get("PRODMAX_ENVIRONMENT") == name:
        return skip(name, f"{package} was installed but cannot be imported")
    requirements = str(script.parent / "requirements.txt")
    commands = [
        [sys.executable, "-m", "venv", str(venv)],
        [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements],
    ]
    for command in commands:
        try:
            result = subprocess.run(command, capture_output=True, text=True)
        except OSError as error:
            return skip(name, f"{command[0]} cannot be run: {error}")
        if result.returncode != 0:
            lines = (result.stderr or result.stdout).strip().splitlines()
            why = lines[-1] if lines else "no reason given"
            return skip(name, f"the virtual environment cannot be created: {why}")
    environment = dict(os.environ, PRODMAX_ENVIRONMENT=name)
    return subprocess.run([str(python), str(script), *sys.argv[1:]], env=environment).returncode


def write(path, text):
    """Writes the file completely or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".part")
    unfinished.write_text(text)
    unfinished.replace(path)
