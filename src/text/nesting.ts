import { LINK } from './markdown.ts';
import type { MessageNode, MessageProblem } from './node.ts';
import { pairTags } from './tag.ts';
import { isXmlSource, type Syntax } from './syntax.ts';

/** Whether both have the same tags with the same nesting. Translators may change attributes. */
export function tagProblems(
  source: readonly MessageNode[],
  target: readonly MessageNode[],
  syntax: Syntax,
): MessageProblem[] {
  // `<Unknown Sender>` may become one word, which would look like a tag.
  const mayHaveWords = !STRICT.has(syntax) || (!isXmlSource(syntax) && source.some(hasAngleWords));
  const nameIn = syntax === 'xliff' ? nameWithId : nameOf;
  const wanted = tagsOf(source, !STRICT.has(syntax), nameIn);
  const found = tagsOf(target, mayHaveWords, nameIn);
  const problems: MessageProblem[] = [];
  for (const [tag, count] of wanted) {
    if ((found.get(tag) ?? 0) < count) problems.push({ rule: 'tag-mismatch', detail: `${tag} is missing` });
  }
  for (const [tag, count] of found) {
    if (count > (wanted.get(tag) ?? 0))
      problems.push({ rule: 'tag-mismatch', detail: `${tag} is not in the source` });
  }
  if (problems.length === 0 && unpaired(target, mayHaveWords) > unpaired(source, !STRICT.has(syntax)))
    problems.push({ rule: 'tag-mismatch', detail: 'tags are not nested as in the source' });
  return problems;
}

/** Syntaxes whose readers may reject an unknown or unclosed tag. */
const STRICT: ReadonlySet<Syntax> = new Set<Syntax>([
  'markup',
  'xliff',
  'icu',
  'android',
  'i18next',
  'vue',
  'kde-kuit',
]);

const HTML =
  /^(?:a|abbr|b|bdi|bdo|big|blockquote|button|cite|code|dd|del|dfn|div|dl|dt|em|font|form|h[1-6]|i|iframe|ins|kbd|label|li|mark|ol|option|p|pre|q|s|samp|script|select|small|span|strike|strong|style|sub|sup|svg|table|tbody|td|textarea|th|thead|tr|tt|u|ul|var)$/i;

/**
 * Counts tags. In prose, `<file>` stands for "a file name goes here": a single unknown name without attributes is a
 * word, which a translator translates.
 */
function tagsOf(
  nodes: readonly MessageNode[],
  mayHaveWords: boolean,
  nameIn: (node: MessageNode) => string | undefined,
): Map<string, number> {
  const tags = new Map<string, number>();
  const pairs = mayHaveWords ? pairTags(nodes) : undefined;
  nodes.forEach((node, i) => {
    const tag = nameIn(node);
    if (tag === undefined) return;
    if (pairs && !pairs.has(i) && isProse(node)) return;
    tags.set(tag, (tags.get(tag) ?? 0) + 1);
  });
  return tags;
}

/** Whether a node has words in angle brackets, which no markup parser reads as a tag. */
function hasAngleWords(node: MessageNode): boolean {
  return node.type === 'text' && /<\p{L}/u.test(node.text);
}

function isProse(node: MessageNode): boolean {
  return node.type === 'open' && !HTML.test(node.name) && !/[=:\d]/.test(node.raw);
}

/** Whether HTML has an element of this name that has an end tag. */
export function isHtmlName(name: string): boolean {
  return HTML.test(name);
}

/** Whether a tag without a partner is read as words. */
export function isProseTag(node: MessageNode, syntax: Syntax): boolean {
  return !STRICT.has(syntax) && isProse(node);
}

function nameOf(node: MessageNode): string | undefined {
  if (node.type !== 'text' && node.type !== 'complex' && node.type !== 'code' && node.name === LINK)
    return node.type === 'open' ? '[' : '](…)';
  if (node.type === 'open') return `<${node.name}>`;
  if (node.type === 'close') return `</${node.name}>`;
  if (node.type !== 'code' || node.kind !== 'tag') return undefined;
  return /^<[^\s/>]+/.exec(node.raw)?.[0] + '/>';
}

/** In XLIFF an inline element represents the code with the same id. */
export function nameWithId(node: MessageNode): string | undefined {
  const name = nameOf(node);
  if (name === undefined || node.type === 'close' || !('raw' in node)) return name;
  const id = /^<[^>]*?\s(?:id|mid|startRef)\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)')/.exec(node.raw);
  return id ? `${name.replace(/\/?>$/, '')} id="${id[1] ?? id[2] ?? ''}">` : name;
}

function unpaired(nodes: readonly MessageNode[], mayHaveWords: boolean): number {
  const pairs = pairTags(nodes);
  return nodes.filter(
    (node, i) =>
      (node.type === 'close' || (node.type === 'open' && !(mayHaveWords && isProse(node)))) && !pairs.has(i),
  ).length;
}
