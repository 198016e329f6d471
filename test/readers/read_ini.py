"""Reads INI files with Python's configparser."""
import base64
import configparser
import json
import sys

TOP = "\x00"


def unquote(value):
    """Removes quotes, and a comment after a semicolon, from a value."""
    quote = value[:1]
    text, at = "", 1
    if quote == "'" and value.find("'", 1) > 0:
        at = value.find("'", 1)
        text = value[1:at]
    elif quote == '"':
        while at < len(value) and value[at] != '"':
            if value[at] == "\\" and value[at + 1 : at + 2] not in ('"', "\\"):
                text += value[at]
            if value[at] == "\\":
                at += 1
            text += value[at : at + 1]
            at += 1
    if quote in ("'", '"') and at < len(value) and value[at] == quote:
        rest = value[at + 1 :].strip()
        if rest == "" or rest[0] == ";":
            return text
    if quote == ";":
        return ""
    ends = [at for at in (value.find(" ;"), value.find("\t;")) if at >= 0]
    return value[: min(ends)].rstrip() if ends else value


def read(data):
    parser = configparser.RawConfigParser(
        delimiters=("=",),
        comment_prefixes=("#", ";"),
        strict=False,
        allow_no_value=True,
        empty_lines_in_values=False,
        default_section=TOP + TOP,
    )
    parser.optionxform = str
    try:
        text = data.decode("utf-8")
        lines = text.split("\n")
        parser.read_string("[" + TOP + "]\n" + "\n".join(line.strip() for line in lines))
    except (configparser.Error, UnicodeDecodeError) as error:
        return {"refused": str(error)}
    entries = []
    for section in parser.sections():
        for name in parser.options(section):
            value = parser.get(section, name)
            if name.startswith("["):
                return {"refused": "a section that is not closed"}
            if value is None:
                continue
            key = [name] if section == TOP else [section, name]
            entries.append({"key": key, "value": unquote(value), "kind": "text"})
    return {"entries": entries}


json.dump([read(base64.b64decode(job["data"])) for job in json.load(sys.stdin)], sys.stdout)
