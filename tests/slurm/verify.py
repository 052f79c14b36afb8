#!/usr/bin/env python3
"""Confirm on a real Slurm cluster that shards merge to the bytes of the single run, whatever happens to their tasks.

A cluster of three node daemons is started on this machine (cluster.py). For every case `prodmax slurm --submit` queues
an array of six tasks and the merge. While they run, one task is cancelled and requeued, and the process of another is
killed with signal 9 and its task requeued. The merged figures must be the bytes that the command prints on one
machine. Exit status: 0 if they are or Slurm is not installed (then the last line says SKIPPED), 1 if they are not, 2
if prodmax or Slurm fails.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import cluster  # noqa: E402 - it is next to this script
import environment  # noqa: E402 - it is in the parent folder of the scripts

NAME = "verify-slurm"
TASKS = 6
WAIT_SECONDS = 900

# (name, command); each shard takes a second or more, so that its task can be caught while it runs
CASES = [
    ("depth 4, a = 6", "mass --root -1,1 --increments 6,6,6,6 --quality"),
    ("simulation of 480 trees", "simulate --trees 480 --seed 21"),
]


class Failure(Exception):
    """Something that does not happen as it should."""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prodmax", default="target/release/prodmax", help="the program to verify")
    parser.add_argument("--output", help="write the outcome to this file as JSON")
    arguments = parser.parse_args()
    arguments.prodmax = str(Path(arguments.prodmax).resolve())
    if why := cluster.missing():
        return environment.skip(NAME, why)
    try:
        with cluster.Cluster() as slurm:
            return verify(slurm, arguments)
    except (cluster.ClusterError, Failure) as error:
        print(f"{NAME}: {error}", file=sys.stderr)
        return 2


def prodmax(slurm, program, *arguments):
    """What prodmax prints, and the seconds it took."""
    start = time.perf_counter()
    folder = slurm.folder / "work"
    result = subprocess.run([program, *arguments], env=slurm.environment, cwd=folder, capture_output=True)
    if result.returncode != 0:
        raise Failure(f"prodmax {' '.join(arguments)}: {result.stderr.decode(errors='replace').strip()}")
    return result.stdout, time.perf_counter() - start


class Submission:
    """An array of shards and its merge."""

    def __init__(self, slurm, program, number, command):
        self.slurm, self.program, self.command = slurm, program, command.split()
        self.parts = slurm.folder / "work" / f"parts-{number}"
        self.result = slurm.folder / "work" / f"result-{number}.json"
        self.submit()

    def submit(self):
        """Queues the array and the merge; parts that are there are continued."""
        options = ["--array", str(TASKS), "--folder", str(self.parts), "--result", str(self.result)]
        options += ["--result-format", "json", "--submit", "--", *self.command]
        text, _ = prodmax(self.slurm, self.program, "slurm", *options)
        jobs = dict(line.split(": job ") for line in text.decode().splitlines())
        self.shards, self.merge = jobs["shards"], jobs["merge"]

    def states(self, job):
        """The state of each task of a job; a job that is not an array has one task."""
        lines = self.slurm.run("squeue", "-h", "-r", "-t", "all", "-j", job, "-o", "%K %T").splitlines()
        return {task: state for task, state in (line.split() for line in lines)}

    def part(self, task):
        return self.parts / f"part-{task}"

    def units(self, task):
        """How many units of work a part holds, and whether it is complete."""
        try:
            lines = self.part(task).read_bytes().split(b"\n")[:-1]
        except FileNotFoundError:
            return 0, False
        return sum(line[:1].isdigit() for line in lines), lines[-1:] != [] and lines[-1].startswith(b"end ")

    def process(self, task):
        """The process that computes a shard; None if there is none."""
        for process in cluster.descendants(os.getpid()):
            try:
                words = Path("/proc", str(process), "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if words[0] == self.program.encode() and str(self.part(task)).encode() in words:
                return process
        return None

    def catch(self, others):
        """Freezes the process of a task that has finished some of its units but not all."""
        end = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < end:
            states = self.states(self.shards)
            if states and all(state == "COMPLETED" for state in states.values()):
                break
            for task in [task for task, state in states.items() if state == "RUNNING" and task not in others]:
                units, complete = self.units(task)
                process = self.process(task) if units > 0 and not complete else None
                if process is None:
                    continue
                os.kill(process, signal.SIGSTOP)
                units, complete = self.units(task)
                if not complete:
                    return task, process, units
                os.kill(process, signal.SIGCONT)
            time.sleep(0.005)
        raise Failure("every task was complete before it could be caught")

    def await_state(self, task, wanted):
        end = time.monotonic() + WAIT_SECONDS
        while (state := self.states(self.shards).get(task)) not in wanted:
            if time.monotonic() > end:
                raise Failure(f"task {task} is {state}, not {' or '.join(wanted)}, after {WAIT_SECONDS} s")
            time.sleep(0.05)

    def requeue(self, task):
        """Queues a task again; Slurm would wait two minutes before it starts it."""
        self.slurm.run("scontrol", "requeue", f"{self.shards}_{task}")
        self.slurm.run("scontrol", "update", f"JobId={self.shards}_{task}", "StartTime=now")

    def cancel(self, others):
        task, process, units = self.catch(others)
        self.slurm.run("scancel", f"{self.shards}_{task}")
        os.kill(process, signal.SIGCONT)
        self.await_state(task, ["CANCELLED"])
        self.requeue(task)
        return {"task": int(task), "how": "scancel", "units_before": units}

    def kill(self, others):
        task, process, units = self.catch(others)
        os.kill(process, signal.SIGKILL)
        self.await_state(task, ["FAILED"])
        self.requeue(task)
        return {"task": int(task), "how": "kill -9", "units_before": units}

    def await_shards(self):
        end = time.monotonic() + WAIT_SECONDS
        while True:
            states = self.states(self.shards)
            if len(states) == TASKS and set(states.values()) == {"COMPLETED"}:
                return
            stuck = {"FAILED", "CANCELLED", "TIMEOUT", "OUT_OF_MEMORY", "NODE_FAIL"} & set(states.values())
            if stuck or time.monotonic() > end:
                raise Failure(f"the tasks are {states}\n{self.logs()}")
            time.sleep(0.1)

    def await_merge(self):
        """Waits for the merge. Slurm drops it if it looks while a task has failed; then all is submitted again."""
        end, again = time.monotonic() + WAIT_SECONDS, False
        while True:
            state = next(iter(self.states(self.merge).values()), "CANCELLED")
            if state == "COMPLETED":
                return again
            if state == "CANCELLED" and not again:
                again = True
                self.submit()
                self.await_shards()
            elif state not in ["PENDING", "CONFIGURING", "RUNNING", "COMPLETING"] or time.monotonic() > end:
                raise Failure(f"the merge is {state}\n{self.logs()}")
            time.sleep(0.1)

    def logs(self):
        return "\n".join(path.read_text(errors="replace") for path in sorted(self.parts.glob("*.log")))

    def went_on(self, task):
        """Whether the log of a task says that it went on from a part that was begun."""
        logs = self.parts.glob(f"*_{task}.log")
        return any("continuing with" in path.read_text(errors="replace") for path in logs)


def run(slurm, program, number, case):
    name, command = case
    single, single_seconds = prodmax(slurm, program, *command.split(), "--format", "json", "--threads", "1")
    start = time.perf_counter()
    submission = Submission(slurm, program, number, command)
    disturbed = [submission.cancel([])]
    disturbed.append(submission.kill([str(disturbed[0]["task"])]))
    submission.await_shards()
    again = submission.await_merge()
    seconds = time.perf_counter() - start
    for each in disturbed:
        units, _ = submission.units(str(each["task"]))
        each |= {"units": units, "went_on": submission.went_on(str(each["task"]))}
    merged = submission.result.read_bytes()
    parts = [str(submission.part(task)) for task in range(TASKS, 0, -1)]
    by_hand, _ = prodmax(slurm, program, "merge", "--format", "json", *parts)
    return {
        "name": name,
        "command": command,
        "tasks": TASKS,
        "disturbed": disturbed,
        "submitted_again": again,
        "bytes": len(single),
        "same_bytes": merged == single and by_hand == single,
        "single_seconds": round(single_seconds, 2),
        "slurm_seconds": round(seconds, 2),
    }


def verify(slurm, arguments):
    version = slurm.run("slurmctld", "-V").split()[-1]
    cases = []
    for number, case in enumerate(CASES, 1):
        outcome = run(slurm, arguments.prodmax, number, case)
        cases.append(outcome)
        happened = ", ".join(
            f"task {each['task']} {each['how']} after {each['units_before']} of {each['units']} units"
            for each in outcome["disturbed"]
        )
        verdict = "the same bytes" if outcome["same_bytes"] else "OTHER BYTES"
        print(f"{outcome['name']}: {happened}: {verdict} ({outcome['bytes']})", flush=True)
    went_on = all(each["went_on"] for case in cases for each in case["disturbed"])
    same = sum(case["same_bytes"] for case in cases)
    print(f"Slurm {version}: {same} of {len(cases)} cases give the bytes of the single run")
    if not went_on:
        print("a task that was queued again began from scratch")
    if arguments.output:
        program, _ = prodmax(slurm, arguments.prodmax, "--version")
        result = {"slurm": version, "prodmax": program.decode().strip(), "nodes": len(cluster.NODES), "cases": cases}
        environment.write(Path(arguments.output), json.dumps(result, indent=2) + "\n")
    return 0 if went_on and same == len(cases) else 1


if __name__ == "__main__":
    sys.exit(main())
