/** Why a piece of a value is not words. */
export type CodeKind =
  /** Replaced at run time by a value: `{name}`, `${x}`, `:name`, `$NAME$`, `@:key`. */
  | 'argument'
  /** A printf conversion. */
  | 'printf'
  /** The number of the plural around it. */
  | 'pound'
  /** Inline markup without content: void elements, comments, self-closing tags. */
  | 'tag'
  | 'entity'
  /** A backslash escape that survived decoding. */
  | 'escape'
  /** A URL or an e-mail address. */
  | 'link'
  /** An escape for a literal character, `%%` or `{{`: a translation may add and drop such characters. */
  | 'literal'
  /** Literal text that looks like an argument, and must not be translated. */
  | 'quoted';

/** Words: `raw` as written in the value, `text` as displayed. */
export interface TextNode {
  readonly type: 'text';
  readonly raw: string;
  readonly text: string;
}

export interface CodeNode {
  readonly type: 'code';
  readonly raw: string;
  readonly kind: CodeKind;
}

/** One end of inline markup; planning a pattern decides whether the other end exists. */
export interface TagNode {
  readonly type: 'open' | 'close';
  readonly raw: string;
  readonly name: string;
  /** For an end tag: a contained text that is translated separately. */
  readonly aside?: Aside;
}

/**
 * A text displayed apart from its sentence, such as the title of a link. `raw` of its tag is `head`, the nodes, `tail`.
 */
interface Aside {
  readonly head: string;
  readonly nodes: readonly MessageNode[];
  readonly tail: string;
}

/** An ICU argument with branches. The value is `head`, the branches, `tail`, byte for byte. */
export interface ComplexNode {
  readonly type: 'complex';
  readonly argument: string;
  readonly style: 'plural' | 'selectordinal' | 'select';
  /** `{n, plural, offset:1` */
  readonly head: string;
  readonly branches: readonly Branch[];
  /** White space and the closing brace. */
  readonly tail: string;
}

export interface Branch {
  /** White space before the selector. */
  readonly lead: string;
  readonly selector: string;
  /** White space between the selector and its opening brace. */
  readonly gap: string;
  readonly body: readonly MessageNode[];
}

export type MessageNode = TextNode | CodeNode | TagNode | ComplexNode;

/** A run of nodes that is translated separately: a whole message, or one branch of `a | b`. */
export interface MessagePart {
  /** The bar before this part, and the label that Symfony strips from its beginning. */
  readonly separator: string;
  readonly nodes: readonly MessageNode[];
}

/** The escaping rules for words at one place of a value. */
export interface WordContext {
  /** Whether the place is inside an ICU branch, in which case a closing brace follows the last word. */
  readonly nested: boolean;
  /** Whether `#` is the number here. */
  readonly pound: boolean;
}

export const TOP: WordContext = { nested: false, pound: false };

/** Appends words; merges them with words directly before. */
export function pushText(nodes: MessageNode[], raw: string, text: string = raw): void {
  if (raw === '') return;
  const last = nodes.at(-1);
  if (last?.type === 'text')
    nodes[nodes.length - 1] = { type: 'text', raw: last.raw + raw, text: last.text + text };
  else nodes.push({ type: 'text', raw, text });
}

/** The source text of the nodes. */
export function sourceOf(nodes: readonly MessageNode[]): string {
  let source = '';
  for (const node of nodes) source += node.type === 'complex' ? sourceOfComplex(node) : node.raw;
  return source;
}

function sourceOfComplex(node: ComplexNode): string {
  const branches = node.branches.map((b) => `${b.lead}${b.selector}${b.gap}{${sourceOf(b.body)}}`);
  return node.head + branches.join('') + node.tail;
}

/** A defect of a translation, or of a message itself. */
export interface MessageProblem {
  readonly rule:
    | 'placeholder-mismatch'
    | 'icu-syntax'
    | 'missing-other'
    | 'plural-categories'
    | 'tag-mismatch'
    | 'double-escaped';
  /** One sentence for the user that names the placeholder, tag or category. */
  readonly detail: string;
}
