import { isSpace, nameAt, skipSpace } from './characters.ts';
import { decodeReferences, type Entities, referenceAt } from './entities.ts';
import type { XmlDoctype } from './tree.ts';

const MAX_ENTITIES = 4096;

/** Stops reading with an error at an offset. */
export type Fail = (offset: number, message: string, code?: 'unreadable_input' | 'limit_exceeded') => never;

/**
 * Reads `<!DOCTYPE …>` at `start` for its entity declarations. References outside the file (an external subset,
 * external entities) are never opened, and parameter entities are not expanded. In both cases, `entities.openEnded` is
 * set.
 */
export function readDoctype(text: string, start: number, entities: Entities, fail: Fail): XmlDoctype {
  let at = skipSpace(text, start + 9);
  const name = nameAt(text, at);
  if (name === '' || at === start + 9) fail(start, 'malformed <!DOCTYPE>');
  at = skipSpace(text, at + name.length);
  if (text.startsWith('SYSTEM', at) || text.startsWith('PUBLIC', at)) {
    entities.openEnded = true;
    at = skipSpace(text, externalIdEnd(text, at, fail));
  }
  let subsetEnd: number | undefined;
  if (text[at] === '[') {
    subsetEnd = readSubset(text, at + 1, entities, fail);
    at = skipSpace(text, subsetEnd + 1);
  }
  if (text[at] !== '>') fail(start, '<!DOCTYPE> is not closed');
  return { span: { start, end: at + 1 }, subsetEnd };
}

function readSubset(text: string, start: number, entities: Entities, fail: Fail): number {
  let at = start;
  for (;;) {
    at = skipSpace(text, at);
    if (text[at] === ']') return at;
    if (text.startsWith('<!--', at)) at = commentEnd(text, at, fail);
    else if (text.startsWith('<?', at)) at = instructionEnd(text, at, fail);
    else if (text.startsWith('<!ENTITY', at) && isSpace(text.charCodeAt(at + 8)))
      at = readEntity(text, at, entities, fail);
    else if (/^<!(?:ELEMENT|ATTLIST|NOTATION)\s/.test(text.slice(at, at + 12)))
      at = declarationEnd(text, at, fail);
    else if (text[at] === '%') {
      const end = at + 1 + nameAt(text, at + 1).length;
      if (end === at + 1 || text[end] !== ';') fail(at, 'malformed parameter entity reference');
      entities.openEnded = true;
      at = end + 1;
    } else fail(Math.min(at, text.length), 'malformed declaration in <!DOCTYPE>');
  }
}

function readEntity(text: string, start: number, entities: Entities, fail: Fail): number {
  let at = skipSpace(text, start + 8);
  const parameter = text[at] === '%' && isSpace(text.charCodeAt(at + 1));
  if (parameter) at = skipSpace(text, at + 1);
  const name = nameAt(text, at);
  if (name === '') fail(at, '<!ENTITY> without a name');
  const afterName = at + name.length;
  at = skipSpace(text, afterName);
  if (at === afterName) fail(at, `entity ${name} has no value`);
  const quote = text[at];
  let replacement: string | undefined;
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, at + 1);
    if (close < 0) fail(at, `the value of entity ${name} is not closed`);
    checkEntityValue(text, at + 1, close, fail);
    replacement = entityText(text.slice(at + 1, close));
    at = skipSpace(text, close + 1);
  } else {
    if (!text.startsWith('SYSTEM', at) && !text.startsWith('PUBLIC', at))
      fail(at, `entity ${name} has no value`);
    at = skipSpace(text, externalIdEnd(text, at, fail));
    if (text.startsWith('NDATA', at)) {
      at = skipSpace(text, at + 5);
      at = skipSpace(text, at + nameAt(text, at).length);
    }
  }
  if (text[at] !== '>') fail(start, `the declaration of entity ${name} is not closed`);
  if (!parameter) entities.declare(name, { replacement, span: { start, end: at + 1 } });
  if (entities.count > MAX_ENTITIES) {
    fail(start, `more than ${MAX_ENTITIES} entities are declared`, 'limit_exceeded');
  }
  return at + 1;
}

function checkEntityValue(text: string, start: number, end: number, fail: Fail): void {
  for (let at = start; at < end; at++) {
    if (text[at] === '%') fail(at, 'a parameter entity cannot be used inside a declaration here');
    if (text[at] !== '&') continue;
    const reference = referenceAt(text, at);
    if (!reference || reference.end > end) fail(at, 'a bare "&" or malformed reference in an entity');
    else at = reference.end - 1;
  }
}

/** Character references are resolved at the declaration, and entity references where the entity is used. */
function entityText(literal: string): string {
  return literal.includes('&#')
    ? literal.replace(/&#\w{1,9};/g, (reference) => decodeReferences(reference))
    : literal;
}

function externalIdEnd(text: string, start: number, fail: Fail): number {
  let at = start + 6;
  for (let literals = text.startsWith('PUBLIC', start) ? 2 : 1; literals > 0; literals--) {
    const literal = skipSpace(text, at);
    const quote = literal > at ? text[literal] : undefined;
    at = literal;
    const close = quote === '"' || quote === "'" ? text.indexOf(quote, at + 1) : -1;
    if (close < 0) fail(start, 'malformed external identifier');
    at = close + 1;
  }
  return at;
}

function declarationEnd(text: string, start: number, fail: Fail): number {
  for (let at = start; at < text.length; at++) {
    const c = text[at];
    if (c === '>') return at + 1;
    if (c === '"' || c === "'") {
      at = text.indexOf(c, at + 1);
      if (at < 0) break;
    }
  }
  return fail(start, 'a declaration in <!DOCTYPE> is not closed');
}

export function commentEnd(text: string, start: number, fail: Fail): number {
  const dashes = text.indexOf('--', start + 4);
  if (dashes < 0) fail(start, 'the comment is not closed');
  if (text[dashes + 2] !== '>') fail(dashes, '"--" inside a comment');
  return dashes + 3;
}

export function instructionEnd(text: string, start: number, fail: Fail): number {
  const target = nameAt(text, start + 2);
  if (target === '') fail(start, 'a processing instruction without a name');
  if (target.toLowerCase() === 'xml') {
    fail(start, 'an XML declaration is allowed only at the start of the file');
  }
  const targetEnd = start + 2 + target.length;
  const end = text.indexOf('?>', targetEnd);
  if (end < 0) fail(start, 'the processing instruction is not closed');
  if (end > targetEnd && !isSpace(text.charCodeAt(targetEnd))) {
    fail(start, `malformed processing instruction <?${target}`);
  }
  return end + 2;
}
