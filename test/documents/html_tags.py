"""Reads a JSON list of pages and writes, for each, the tags that Python's own HTML parser finds."""
import json
import sys
from html.parser import HTMLParser


class Reader(HTMLParser):
    def __init__(self, attributes):
        super().__init__(convert_charrefs=True)
        self.seen = []
        self.attributes = attributes

    def handle_starttag(self, tag, attrs):
        self.seen.append(["open", tag, attrs if self.attributes else [name for name, _ in attrs]])

    def handle_endtag(self, tag):
        self.seen.append(["close", tag])

    def handle_comment(self, data):
        self.seen.append(["comment", data])

    def handle_decl(self, decl):
        self.seen.append(["declaration", decl])

    def handle_pi(self, data):
        self.seen.append(["instruction", data])

    def unknown_decl(self, data):
        self.seen.append(["unknown", data])


def read(page, attributes):
    reader = Reader(attributes)
    reader.feed(page)
    reader.close()
    return reader.seen


request = json.load(sys.stdin)
json.dump([read(page, request["attributes"]) for page in request["pages"]], sys.stdout)
