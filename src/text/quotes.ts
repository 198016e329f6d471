import { matchBrackets } from './brackets.ts';
import type { Grammar } from './grammar.ts';
import { pushText, type MessageNode, type WordContext } from './node.ts';
import { scanText, type ScanFindings, type ReadComplex } from './scan.ts';

/** Quoted content that an engine would read as an argument. */
const LOOKS_LIKE_ARGUMENT = /\{[^{}]*[\p{L}\p{N}_][^{}]*\}/u;

/**
 * Appends the nodes of text in which apostrophes quote: `''` is an apostrophe, and one before a syntax character opens
 * a quotation that the next single one closes. Any other apostrophe is literal, as in ICU; authors of java.text
 * messages intend the same, even where Java would drop it.
 */
export function scanQuoted(
  text: string,
  grammar: Grammar,
  context: WordContext,
  nodes: MessageNode[],
  findings: ScanFindings,
  readComplex: ReadComplex,
): void {
  if (!text.includes("'")) {
    if (text !== '') scanText(text, grammar, nodes, findings, readComplex);
    return;
  }
  // Quotes inside an argument belong to the argument.
  const partners = grammar.braces ? matchBrackets(text, '{', '}') : undefined;
  const quotable = new RegExp(quotableSource(grammar, context), 'g');
  const words = (raw: string): void => {
    if (raw !== '') scanText(raw, grammar, nodes, findings, readComplex);
  };
  let at = 0;
  for (let match = quotable.exec(text); match; match = quotable.exec(text)) {
    if (match[0] === '{') {
      quotable.lastIndex = (partners?.get(match.index) ?? match.index) + 1;
      continue;
    }
    words(text.slice(at, match.index));
    if (findings.problem !== undefined) return;
    if (match[0] === "''") {
      pushText(nodes, "''", "'");
      at = match.index + 2;
    } else {
      at = endOfQuotation(text, match.index);
      pushQuotation(nodes, text.slice(match.index, at));
    }
    quotable.lastIndex = at;
  }
  words(text.slice(at));
}

function quotableSource(grammar: Grammar, context: WordContext): string {
  if (grammar.braces) return String.raw`''|'(?=[{}])|\{`;
  return context.pound ? `''|'(?=[{}<>#])` : `''|'(?=[{}<>])`;
}

function pushQuotation(nodes: MessageNode[], raw: string): void {
  const closed = raw.length > 1 && raw.endsWith("'");
  const content = raw.slice(1, closed ? -1 : undefined).replaceAll("''", "'");
  if (LOOKS_LIKE_ARGUMENT.test(content)) nodes.push({ type: 'code', raw, kind: 'quoted' });
  else pushText(nodes, raw, content);
}

/** An unclosed quotation extends to the end. */
function endOfQuotation(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] !== "'") continue;
    if (text[i + 1] !== "'") return i + 1;
    i++;
  }
  return text.length;
}
