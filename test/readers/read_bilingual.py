"""Reads XLIFF and Qt's translation files with lxml: the translation of every translatable unit.

Content is written in one notation: text with `&`, `<`, `>` escaped, CDATA and entities resolved, tags by their names
without a prefix, with quoted attributes.
"""
import sys
from xml.sax.saxutils import escape, quoteattr

from lxml import etree

from files import BOMS, serve

OPTIONS = {"resolve_entities": True, "no_network": True, "huge_tree": True, "strip_cdata": False}


def local(element):
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def elements(element, *names):
    return [child for child in element if local(child) in names]


def first(element, *names):
    return next(iter(elements(element, *names)), None)


def exact(element):
    parts = [escape(element.text or "")]
    for child in element:
        if not isinstance(child.tag, str):
            parts.append(etree.tostring(child, with_tail=False).decode())
        else:
            name = local(child)
            attributes = "".join(f" {etree.QName(key).localname}={quoteattr(value)}" for key, value in child.items())
            parts.append(f"<{name}{attributes}>{exact(child)}</{name}>")
        parts.append(escape(child.tail or ""))
    return "".join(parts)


def own_text(element):
    """Returns the text of an element, or an empty string if the element is missing."""
    return "" if element is None else exact(element)


def units(container, outer, version):
    own = container.get("translate")
    translatable = outer if own is None else own != "no"
    for child in container:
        name = local(child)
        if name in ("group", "body"):
            yield from units(child, translatable, version)
        elif name == ("trans-unit" if version == 1 else "unit"):
            own = child.get("translate")
            if translatable if own is None else own != "no":
                yield child


def xliff(root):
    if local(root) != "xliff":
        raise ValueError("no XLIFF")
    version = 2 if root.get("version", "").startswith("2") else 1
    for file in elements(root, "file"):
        name = file.get("original" if version == 1 else "id", "")
        for unit in units(file, True, version):
            parts = [unit] if version == 1 else elements(unit, "segment")
            for number, part in enumerate(parts):
                source = first(part, "seg-source")
                source = first(part, "source") if source is None else source
                if source is None or not exact(source).strip(" \t\r\n"):
                    continue
                identity = unit.get("id", unit.get("resname", ""))
                own = [] if len(parts) == 1 else [part.get("id", str(number + 1))]
                yield [name, identity, *own], own_text(first(part, "target"))


def qt(root):
    if root.tag != "TS":
        raise ValueError("no Qt translation file")
    for context in root.iter("context"):
        name = exact(context.find("name")) if context.find("name") is not None else ""
        for message in context.findall("message"):
            translation = message.find("translation")
            if translation is None or translation.get("type") in ("vanished", "obsolete"):
                continue
            if translation.get("variants") == "yes":
                continue
            source = message.find("source")
            comment = message.find("comment")
            identity = message.get("id") or ("" if source is None else unescape(source))
            key = [unescape_text(name), identity, "" if comment is None else unescape(comment)]
            forms = translation.findall("numerusform")
            for form in forms if message.get("numerus") == "yes" else [translation]:
                yield key, exact(form)


def unescape(element):
    return unescape_text(exact(element))


def unescape_text(text):
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def read(data, fragments):
    for bom, charset in BOMS[1:]:
        if data.startswith(bom):
            raise ValueError(f"{charset} is read elsewhere")
    root = etree.fromstring(data, etree.XMLParser(**OPTIONS))
    declared = "".join(f' xmlns{":" + prefix if prefix else ""}={quoteattr(uri)}' for prefix, uri in root.nsmap.items())
    entries = [{"key": key, "value": value, "kind": "text"} for key, value in FORMATS[sys.argv[1]](root)]
    written = [
        exact(etree.fromstring(f"<_{declared}>{fragment}</_>".encode(), etree.XMLParser(**OPTIONS)))
        for fragment in fragments
    ]
    return {"entries": entries, "fragments": written}


FORMATS = {"xliff": xliff, "qt": qt}

serve(read)
