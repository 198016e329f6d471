"""Reads or writes TMX with the Translate Toolkit, which shares no code with the program.

Standard input: a JSON array of {"data": base64 of a TMX file} or {"units": [[source, target], ...]}.
Standard output: a JSON array of {"entries": ...} or {"refused": ...}, or of {"data": base64}.
"""

import base64
import json
import sys

from translate.storage import tmx


def read(data):
    try:
        store = tmx.tmxfile.parsestring(base64.b64decode(data))
    except Exception as error:
        return {"refused": str(error)}
    return {
        "entries": [
            {"key": [unit.source or ""], "value": unit.target or "", "kind": "text"}
            for unit in store.units
        ]
    }


def write(units):
    store = tmx.tmxfile(sourcelanguage="en", targetlanguage="es")
    for source, target in units:
        store.addtranslation(source, "en", target, "es")
    return {"data": base64.b64encode(bytes(store)).decode()}


jobs = json.load(sys.stdin)
json.dump([read(job["data"]) if "data" in job else write(job["units"]) for job in jobs], sys.stdout)
