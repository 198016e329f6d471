"""Reads files for translators with independent programs; returns [id, source, target] for each text, and in
XLIFF also the name.

translate-toolkit reads PO and XLIFF 1.2, lxml reads XLIFF 2, zipfile and ElementTree read XLSX.
"""

import base64
import io
import json
import re
import sys
import zipfile
from xml.etree import ElementTree

format = sys.argv[1]


def read_po(data):
    from translate.storage import pypo

    store = pypo.pofile.parsestring(data)
    return [
        [unit.getnotes("developer").split("\n")[-1], str(unit.source), str(unit.target or "")]
        for unit in store.units
        if not unit.isheader()
    ]


def read_xliff1(data):
    from translate.storage import xliff

    store = xliff.xlifffile.parsestring(data)
    return [
        [unit.xmlelement.get("id"), flat(unit.source_dom), flat(unit.target_dom), unit.xmlelement.get("resname")]
        for unit in store.units
    ]


def read_xliff2(data):
    from lxml import etree

    name = lambda tag: "{urn:oasis:names:tc:xliff:document:2.0}" + tag
    units = []
    for unit in etree.fromstring(data).iter(name("unit")):
        natives = {one.get("id"): flat(one) for one in unit.iter(name("data"))}
        segments = list(unit.iter(name("segment")))
        assert len(segments) == 1
        units.append(
            [unit.get("id")]
            + [flat(segments[0].find(name(part)), natives) for part in ("source", "target")]
            + [unit.get("name")]
        )
    return units


def flat(node, natives={}):
    """The text, with the notation of its inline codes."""
    if node is None:
        return ""
    text = node.text or ""
    for child in node:
        tag = child.tag.split("}")[-1]
        if tag == "cp":
            text += chr(int(child.get("hex"), 16))
        text += natives.get(child.get("dataRef") or child.get("dataRefStart"), "")
        text += flat(child, natives)
        text += natives.get(child.get("dataRefEnd"), "")
        text += child.tail or ""
    return text


SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def read_xlsx(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        strings = [
            "".join(text.text or "" for text in item.iter(SHEET + "t"))
            for item in ElementTree.fromstring(archive.read("xl/sharedStrings.xml"))
        ]
        sheet = ElementTree.fromstring(archive.read("xl/worksheets/sheet1.xml"))
    rows = []
    for row in sheet.iter(SHEET + "row"):
        cells = {}
        for cell in row:
            assert cell.get("t") == "s" and cell.find(SHEET + "f") is None, "a cell is not text"
            column = re.match("[A-Z]+", cell.get("r")).group()
            value = strings[int(cell.find(SHEET + "v").text)]
            cells[column] = re.sub("_x([0-9A-Fa-f]{4})_", lambda m: chr(int(m.group(1), 16)), value)
        rows.append([cells.get(column, "") for column in "GBC"])
    return rows[1:]


readers = {"po": read_po, "1.2": read_xliff1, "2.0": read_xliff2, "xlsx": read_xlsx}
files = [base64.b64decode(job["data"]) for job in json.load(sys.stdin)]
json.dump([readers[format](data) for data in files], sys.stdout)
