"""Runs perfdiff and DuckDB in turn on the same pair of files and prints wall
time, CPU time and peak memory of either as a whole process. See peer.sh."""

import os
import statistics
import subprocess
import sys
import time

THREADS = "2"


def duckdb(sql_file, variables=""):
    script = (
        "import duckdb, sys; c = duckdb.connect(); c.execute('SET threads = %s'); %s"
        "rows = c.execute(open(sys.argv[1]).read()).fetchall(); print(len(rows))" % (THREADS, variables)
    )
    return [sys.executable, "-c", script, sql_file]


def measure(command, ok):
    with open(os.devnull, "w") as null:
        start = time.perf_counter()
        child = subprocess.Popen(command, stdout=null, env={**os.environ, "GOMAXPROCS": THREADS})
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in ok:
        sys.exit("%s: exit code %d" % (command[0], child.returncode))
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    here, rows, rounds, perfdiff = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    stamp = "rows"
    if not os.path.exists(stamp) or open(stamp).read() != str(rows):
        print("writing 2 x %d rows" % rows, file=sys.stderr)
        subprocess.run(
            duckdb(os.path.join(here, "gen.sql"), "c.execute('SET VARIABLE n = %d'); " % rows), check=True,
            stdout=subprocess.DEVNULL)
        with open(stamp, "w") as f:
            f.write(str(rows))
    sides = {
        "duckdb": (duckdb(os.path.join(here, "query.sql")), {0}),
        # Every verdict is a success here; 2 is an error.
        "perfdiff": ([perfdiff, "before.parquet", "after.parquet"], {0, 1, 3, 4}),
    }
    seen = {name: [] for name in sides}
    for _ in range(rounds):
        for name, (command, ok) in sides.items():
            seen[name].append(measure(command, ok))
    print("2 x %d rows, %s threads, medians of %d interleaved runs" % (rows, THREADS, rounds))
    print("%-10s %10s %10s %12s" % ("", "wall s", "cpu s", "peak MiB"))
    medians = {}
    for name, runs in seen.items():
        medians[name] = [statistics.median(column) for column in zip(*runs)]
        print("%-10s %10.3f %10.3f %12.0f" % (name, *medians[name]))
    print("%-10s %10.3f %10.3f %12.3f" % ("ratio", *(a / b for a, b in zip(medians["perfdiff"], medians["duckdb"]))))


main()
