"""Reads XML with expat: the attributes of every element, and the content of every element that holds text.

Content is written in one notation: text with `&`, `<`, `>` escaped, CDATA and entities resolved, tags as names with
quoted attributes. Texts of Android resources are read as aapt2 reads them.
"""
import re
from pyexpat import ParserCreate
from xml.sax.saxutils import escape, quoteattr

from files import Offsets, decode, serve

SPACE = " \t\n\r"


class Element:
    def __init__(self, name, attributes, start):
        self.name, self.start, self.end = name, start, start
        self.attributes = list(zip(attributes[::2], attributes[1::2]))
        self.children = []

    def get(self, name):
        return dict(self.attributes).get(name)

    def elements(self):
        return [child for child in self.children if isinstance(child, Element)]

    def holds_text(self):
        return any(kind in ("text", "cdata") and value.strip(SPACE) for kind, value in self.tokens())

    def tokens(self):
        return [child for child in self.children if isinstance(child, tuple)]


class Tree:
    def __init__(self, text):
        self.entities = {}
        self.root = None
        self.stack = []
        self.cdata = False
        self.parser = parser = ParserCreate()
        parser.ordered_attributes = True
        parser.buffer_text = True
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = lambda data: self.add("cdata" if self.cdata else "text", data)
        parser.StartCdataSectionHandler = lambda: self.section(True)
        parser.EndCdataSectionHandler = lambda: self.section(False)
        parser.CommentHandler = lambda data: self.add("comment", f"<!--{data}-->")
        parser.ProcessingInstructionHandler = lambda target, data: self.add("instruction", f"<?{target} {data}?>")
        parser.EntityDeclHandler = self.declare
        parser.Parse(text, True)

    def section(self, inside):
        self.cdata = inside
        if inside:
            self.add("cdata", "")

    def add(self, kind, value):
        if self.stack:
            self.stack[-1].children.append((kind, value))

    def start(self, name, attributes):
        element = Element(name, attributes, self.parser.CurrentByteIndex)
        if self.stack:
            self.stack[-1].children.append(element)
        else:
            self.root = element
        self.stack.append(element)

    def end(self, _name):
        self.stack.pop().end = self.parser.CurrentByteIndex

    def declare(self, name, parameter, value, _base, _system, _public, _notation):
        if not parameter and value is not None:
            self.entities.setdefault(name, value)


def flatten(element):
    """The content as tokens, one for each run of text."""
    found = []
    for child in element.children:
        if isinstance(child, Element):
            attributes = "".join(f" {name}={quoteattr(value)}" for name, value in child.attributes)
            found.append(("tag", f"<{child.name}{attributes}>"))
            found += flatten(child)
            found.append(("tag", f"</{child.name}>"))
        elif child[0] in ("text", "cdata"):
            if found and found[-1][0] == "text":
                found[-1] = ("text", found[-1][1] + child[1])
            else:
                found.append(("text", child[1]))
        else:
            found.append(child)
    return found


def write(tokens):
    return "".join(escape(value) if kind == "text" else value for kind, value in tokens)


def exact(element):
    sections = [value for kind, value in element.tokens() if kind == "cdata"]
    around = [value for kind, value in element.tokens() if kind == "text"]
    only = sections and not element.elements() and len(sections) + len(around) == len(element.children)
    if only and not "".join(around).strip(SPACE):
        first = next(i for i, child in enumerate(element.children) if child[0] == "cdata")
        last = max(i for i, child in enumerate(element.children) if child[0] == "cdata")
        return escape("".join(value for _, value in element.children[first : last + 1]))
    return write(flatten(element))


class Resource:
    """The text of a resource, modelled on aapt2's StringBuilder."""

    def __init__(self):
        self.quoted = self.space = False

    def reset(self):
        self.quoted = self.space = False

    def read(self, text):
        result, at = "", 0
        while at < len(text):
            c = text[at]
            at += 1
            if not self.quoted and c in SPACE:
                if not self.space:
                    result += " "
                self.space = True
                continue
            self.space = False
            if c == '"':
                self.quoted = not self.quoted
            elif c != "\\":
                result += c
            elif at < len(text):
                code = re.compile("u([0-9a-fA-F]{4})").match(text, at)
                if code:
                    result += chr(int(code[1], 16))
                    at = code.end()
                    continue
                result += {"n": "\n", "t": "\t"}.get(text[at], text[at])
                at += 1
        # Escaped surrogate pairs are one character.
        return result.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def resource(element):
    tokens = flatten(element)
    texts = [index for index, (kind, _) in enumerate(tokens) if kind == "text"]
    if texts:
        first, last = texts[0], texts[-1]
        if first == 0:
            tokens[first] = ("text", tokens[first][1].lstrip(SPACE))
        if last == len(tokens) - 1:
            tokens[last] = ("text", tokens[last][1].rstrip(SPACE))
    state = Resource()
    result = []
    for kind, value in tokens:
        if kind == "text":
            result.append((kind, state.read(value)))
            continue
        if kind == "tag" and ":" not in re.match("</?([^ />]+)", value)[1]:
            state.reset()
        result.append((kind, value))
    return write(result)


class Reading:
    def __init__(self, text):
        self.tree = Tree(text)
        self.bytes = text.encode("utf-8")
        self.ascii = len(self.bytes) == len(text)
        self.text = text
        self.offsets = Offsets(text)
        self.entries = []
        root = self.tree.root
        self.android = root.name == "resources"
        self.visit(root, [root.name])

    def place(self, byte):
        index = byte if self.ascii else len(self.bytes[:byte].decode("utf-8"))
        return self.offsets.utf16(index)

    def visit(self, element, path, key=None):
        self.entries.append({"key": path, "value": repr(element.attributes), "kind": "attributes"})
        children = element.elements()
        if key or element.holds_text() or not children:
            content = resource(element) if self.android else exact(element)
            at = {"start": self.place(element.start), "end": self.place(element.end)}
            self.entries.append({"key": key or path, "value": content, "kind": "text", "at": at})
            return
        items = 0
        for index, child in enumerate(children):
            child_path = path + [f"{child.name}[{index}]"]
            self.visit(child, child_path, self.key_of(child, element, items) if self.android else None)
            items += child.name == "item"

    def key_of(self, child, parent, items):
        if child.name == "string":
            return self.name_of(child)
        if child.name != "item" or parent.name not in ("plurals", "string-array"):
            return None
        last = child.get("quantity") if parent.name == "plurals" else str(items)
        group = self.name_of(parent)
        return group + [last] if group and last else None

    def name_of(self, element):
        name, product = element.get("name"), element.get("product")
        if name is None:
            return None
        return [name] if product is None else [name, f"product={product}"]


def literal(value):
    return '"' + value.replace("%", "&#37;").replace('"', "&#34;") + '"'


def read(data, fragments):
    declared = re.search(rb"""^<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)""", data)
    reading = Reading(decode(data, declared[1].decode("ascii") if declared else "utf-8"))
    declarations = "".join(
        f"<!ENTITY {name} {literal(value)}>"
        for name, value in reading.tree.entities.items()
    )
    doctype = f"<!DOCTYPE x [{declarations}]>" if declarations else ""
    wanted = [write(flatten(Tree(f"{doctype}<x>{fragment}</x>").root)) for fragment in fragments]
    return {"entries": reading.entries, "fragments": wanted}


serve(read)
