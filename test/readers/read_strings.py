"""Reads .strings files with openstep-plist."""
import openstep_plist

from files import decode, serve


def read(data, _fragments):
    # In braces, because the parser takes a file that starts with an empty key for a single string.
    found = openstep_plist.loads("{" + decode(data) + "\n}")
    entries = []
    for key, value in found.items():
        text = isinstance(value, str)
        kind = "text" if text else type(value).__name__
        entries.append({"key": [key], "value": value if text else repr(value), "kind": kind})
    return {"entries": entries}


serve(read)
