"""The code that the readers in Python share: they get files and return readings as JSON."""
import base64
import json
import re
import sys

BOMS = [(b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")]


def decode(data, declared="utf-8"):
    for bom, charset in BOMS:
        if data.startswith(bom):
            return data[len(bom):].decode(charset)
    return data.decode(declared)


class Offsets:
    """Python counts code points, the program counts UTF-16 code units."""

    def __init__(self, text):
        self.astral = [m.start() for m in re.finditer("[\U00010000-\U0010ffff]", text)]

    def utf16(self, index):
        low, high = 0, len(self.astral)
        while low < high:
            middle = (low + high) // 2
            if self.astral[middle] < index:
                low = middle + 1
            else:
                high = middle
        return index + low


def serve(read):
    sys.setrecursionlimit(100_000)
    readings = []
    for job in json.load(sys.stdin):
        try:
            readings.append(read(base64.b64decode(job["data"]), job["fragments"]))
        except Exception as error:  # every exception of a parser is a refusal
            readings.append({"refused": f"{type(error).__name__}: {error}"})
    json.dump(readings, sys.stdout)
