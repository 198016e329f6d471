"""Reads messages with Python's email package: an independent check of their structure and texts.

In: a JSON list of messages in base64. Out: a JSON list of their contents."""

import base64
import email
import email.policy
import json
import sys


def texts_of(part):
    payload = part.get_payload(decode=True)
    charset = part.get_content_charset() or "us-ascii"
    try:
        return payload.decode("utf-8" if charset == "us-ascii" else charset)
    except (UnicodeDecodeError, LookupError):
        return None


def describe(part):
    entry = {
        "type": part.get_content_type(),
        "headers": [[name, str(value)] for name, value in part.raw_items()],
        "preamble": part.preamble,
        "epilogue": part.epilogue,
        "disposition": part.get_content_disposition(),
        "filename": part.get_filename(),
    }
    if part.is_multipart():
        entry["children"] = [describe(child) for child in part.get_payload()]
    else:
        entry["body"] = base64.b64encode(part.get_payload(decode=True)).decode()
        if part.get_content_maintype() == "text":
            entry["text"] = texts_of(part)
    return entry


def read(data):
    compat = email.message_from_bytes(data)
    subject = email.message_from_bytes(data, policy=email.policy.default)["subject"]
    return {"subject": None if subject is None else str(subject), "root": describe(compat)}


json.dump([read(base64.b64decode(item)) for item in json.load(sys.stdin)], sys.stdout)
