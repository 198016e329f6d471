#!/usr/bin/env python3
"""Reads the .lang files of Minecraft for dragoman: `key=value` lines, and comments after `#`.

    dragoman sync --format-command 'lang=python3 lang.py'

Reads requests and writes answers, one JSON object per line. Offsets count UTF-8 bytes, so the text is searched as bytes.
"""
import json
import re
import sys

# A value ends with its line, or, in Bedrock's files, at a tab followed by `##`, which starts a comment.
PAIR = re.compile(rb"^([^#=\s][^=\r\n]*)=([^\r\n]*?)(?=\t+##|\t*\r?$)", re.MULTILINE)


def scan(text):
    source = text.encode()
    slots = []
    end = 0
    for pair in PAIR.finditer(source):
        start = first_comment(source, end, pair.start())
        line_end = source.find(b"\n", pair.end())
        end = len(source) if line_end < 0 else line_end
        slots.append({
            "key": [pair[1].decode()],
            "value": pair[2].decode(),
            "start": pair.start(2),
            "end": pair.end(2),
            # The lines that are inserted and removed with the pair, without the last line end.
            "entry": [start, end - 1 if source[end - 1:end] == b"\r" else end],
            **({"comment": note(source[start:pair.start()])} if start < pair.start() else {}),
        })
    return {"slots": slots}


def first_comment(source, end, start):
    """Returns where the comments directly above a pair begin."""
    while start > end:
        line = max(source.rfind(b"\n", end, start - 1) + 1, end)
        if not source[line:start].startswith(b"#"):
            break
        start = line
    return start


def note(lines):
    return "\n".join(line.strip(b"# \t\r").decode() for line in lines.splitlines())


def encode(value):
    if re.search(r"[\r\n]", value):
        return {"refused": "a value must not contain line breaks"}
    if re.search(r"\t##|\t$", value):
        return {"refused": "tabs at the end of a value belong to a comment"}
    return {"text": value}


for request in map(json.loads, sys.stdin):
    if "scan" in request:
        answer = scan(request["scan"]["text"])
    else:
        answer = encode(request["encode"]["value"])
    print(json.dumps({"id": request["id"], **answer}), flush=True)
