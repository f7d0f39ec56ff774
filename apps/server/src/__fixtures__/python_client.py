"""Reads streams as the Python client of the protocol's reference does. Requires only Python.

Standard input: a JSON object with streams by name. Standard output: the result for each stream, over either transport.
"""

import json
import sys


def lines_blocking(stream):
    """Lines as `requests` returns them: bytes split at ASCII line ends."""
    return [line.decode("utf-8") for line in stream.encode("utf-8").splitlines()]


def lines_async(stream):
    """Lines as `httpx` returns them: text split at Unicode line ends."""
    return stream.splitlines()


def read(lines):
    events, written, said, status, error = 0, {}, {}, None, None
    for line in lines:
        if not line.startswith("data: "):
            continue
        try:
            event = json.loads(line[len("data: "):])
        except ValueError:
            continue
        if not isinstance(event, dict) or event.get("object") not in ("response", "message", "content"):
            continue
        events += 1
        if event["object"] == "content" and event["type"] == "text" and event["delta"]:
            written[event["msg_id"]] = written.get(event["msg_id"], "") + event["text"]
        if event["object"] == "message" and event["content"] is not None:
            texts = [part["text"] for part in event["content"] if part["type"] == "text"]
            if texts:
                said[event["id"]] = "".join(texts)
        if event["object"] == "response":
            status = event["status"]
            error = event["error"] and event["error"]["message"]
    return {"events": events, "written": written, "said": said, "status": status, "error": error}


streams = json.load(sys.stdin)
json.dump(
    {
        name: {"blocking": read(lines_blocking(stream)), "async": read(lines_async(stream))}
        for name, stream in streams.items()
    },
    sys.stdout,
)
