"""Reads YAML with PyYAML: every scalar with its path, its type in YAML 1.1 and its place."""
import yaml

from files import Offsets, decode, serve

TEXT = "tag:yaml.org,2002:str"


class Walk:
    def __init__(self, text):
        self.text = text
        self.offsets = Offsets(text)
        self.seen = {}
        self.entries = []

    def add(self, key, value, kind, node=None):
        entry = {"key": key, "value": value, "kind": kind}
        if node is not None:
            start, end = node.start_mark.index, node.end_mark.index
            entry["at"] = {"start": self.offsets.utf16(start), "end": self.offsets.utf16(end)}
        self.entries.append(entry)

    def source(self, node):
        return self.text[node.start_mark.index : node.end_mark.index].rstrip()

    def visit(self, node, path):
        if id(node) in self.seen:
            self.add(path, " / ".join(self.seen[id(node)]), "alias")
            return
        self.seen[id(node)] = path
        if isinstance(node, yaml.ScalarNode):
            self.add(path, node.value, "text" if node.tag == TEXT else node.tag, node)
        elif isinstance(node, yaml.SequenceNode):
            self.add(path, str(len(node.value)), node.tag)
            for index, item in enumerate(node.value):
                self.visit(item, path + [str(index)])
        else:
            self.add(path, str(len(node.value)), node.tag)
            for key, value in node.value:
                scalar = isinstance(key, yaml.ScalarNode)
                name = key.value if scalar else self.source(key)
                if not scalar:
                    self.visit(key, path + [name + " key"])
                elif id(key) not in self.seen:
                    self.seen[id(key)] = path + [name + " key"]
                self.visit(value, path + [name])


def read(data, _fragments):
    text = decode(data)
    walk = Walk(text)
    for index, root in enumerate(yaml.compose_all(text, Loader=yaml.SafeLoader)):
        walk.seen = {}
        walk.visit(root, [str(index)])
    return {"entries": walk.entries}


serve(read)
