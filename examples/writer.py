"""Write the requests of your own load generator as records perfdiff reads.

    python3 examples/writer.py > records.jsonl

One JSON object a line and request. Times of one clock in seconds; a failed
request is written too, with what went wrong. Run it once per run, or name the run.
"""

import json
import sys


def record(out, run, request_id, start, first_token, end, prompt_tokens, output_tokens, error=None):
    """Write one request. first_token and end are None where they did not come."""
    row = {
        "request_id": request_id,
        "run": run,
        "start_s": start,
        "status": "error" if error else "ok",
        "error": error,
        "prompt_tokens": prompt_tokens,
        "output_tokens": output_tokens,
    }
    if first_token is not None:
        row["ttft_s"] = first_token - start
    if end is not None and not error:
        row["e2e_s"] = end - start
    json.dump(row, out)
    out.write("\n")


if __name__ == "__main__":
    # Three requests as a client would have seen them.
    record(sys.stdout, "run-1", "a", 100.0, 100.25, 101.25, 512, 101)
    record(sys.stdout, "run-1", "b", 100.5, 100.875, 102.875, 1024, 201)
    record(sys.stdout, "run-1", "c", 101.0, None, None, 512, 0, error="timeout after 30 s")
