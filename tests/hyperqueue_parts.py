#!/usr/bin/env python3
"""Runs a hayasashi command in parts on a HyperQueue cluster of this machine, and joins the results.

    python3 -m venv venv && venv/bin/pip install hyperqueue
    venv/bin/python tests/hyperqueue_parts.py --parts 8 --workers 2 --folder run -- \\
        target/release/hayasashi perft 6 --backend rules

Each part is a task: the command with `--part K/N --results run/K.jsonl`. A task that fails, or whose worker dies, is run again, and
continues from its file. Begun again after the loss of everything, this program does what is missing. At the end the parts are
joined in `run/all.jsonl`, and the command prints the result of the whole.

On a cluster with a running server (`hq server start`), give its folder with `--server`; the workers are then those of the server.
"""

import argparse
import os
import shutil
import subprocess
import sys
from contextlib import nullcontext

from hyperqueue import Client, Job, LocalCluster
from hyperqueue.cluster import WorkerConfig

# Times that a part is run again after a failure.
RETRIES = 5


def run_parts(client, command, parts, folder, missing):
    """Runs these parts; returns those that failed."""
    job = Job(max_fails=None)
    numbers = {}
    for number in missing:
        results = os.path.join(folder, f"{number}.jsonl")
        task = job.program(
            [*command, "--quiet", "--part", f"{number}/{parts}", "--results", results],
            stdout=os.path.join(folder, f"{number}.out"),
            stderr=os.path.join(folder, f"{number}.err"),
            crash_limit=RETRIES,
        )
        numbers[task.task_id] = number
    submitted = client.submit(job)
    if client.wait_for_jobs([submitted], raise_on_error=False):
        return []
    return [numbers[task] for task in client.get_failed_tasks(submitted)]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--parts", type=int, default=8, help="number of parts")
    arguments.add_argument("--workers", type=int, default=1, help="workers on this machine, with one core each")
    arguments.add_argument("--server", help="folder of a running server, in place of one on this machine")
    arguments.add_argument("--folder", required=True, help="folder of the results")
    arguments.add_argument("command", nargs="+", help="the command, after `--`")
    a = arguments.parse_args()
    folder = os.path.abspath(a.folder)
    os.makedirs(folder, exist_ok=True)
    program = shutil.which(a.command[0])
    if not program:
        sys.exit(f"there is no program `{a.command[0]}`; give its path")
    command = [os.path.abspath(program), *a.command[1:]]

    with nullcontext() if a.server else LocalCluster() as cluster:
        if cluster:
            for _ in range(a.workers):
                cluster.start_worker(WorkerConfig(cores=1))
        client = Client(a.server) if a.server else cluster.client()
        missing = range(1, a.parts + 1)
        for _ in range(RETRIES + 1):
            missing = run_parts(client, command, a.parts, folder, missing)
            if not missing:
                break
            print(f"again: parts {', '.join(map(str, missing))}", file=sys.stderr, flush=True)
    if missing:
        sys.exit(f"parts {', '.join(map(str, missing))} failed {RETRIES + 1} times; see {folder}/*.err")

    parts = [os.path.join(folder, f"{number}.jsonl") for number in range(1, a.parts + 1)]
    joined = os.path.join(folder, "all.jsonl")
    subprocess.run([command[0], "merge", *parts, "--out", joined], check=True)
    subprocess.run([*command, "--quiet", "--results", joined], check=True)


if __name__ == "__main__":
    main()
