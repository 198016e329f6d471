/** Why a piece of a value is not words. */
export type CodeKind =
  /** Replaced at run time by a value: `{name}`, `${x}`, `:name`, `$NAME$`, `@:key`. */
  | 'argument'
  /** A printf conversion. */
  | 'printf'
  /** The number of the plural around it. */
  | 'pound'
  /** Inline markup that stands alone: void elements, comments, self-closing tags. */
  | 'tag'
  | 'entity'
  /** A backslash escape that survived decoding. */
  | 'escape'
  /** A URL or an e-mail address. */
  | 'link'
  /** Syntax for a literal character, `%%` or `{{`: a translation may add and drop such characters. */
  | 'literal'
  /** Literal text that looks like an argument: it must not be translated. */
  | 'quoted';

/** Words: `raw` as they stand in the value, `text` as people read them. */
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

/** One end of inline markup; whether the other end exists is decided when a pattern is planned. */
export interface TagNode {
  readonly type: 'open' | 'close';
  readonly raw: string;
  readonly name: string;
  /** Of an end tag: a text in it that is translated on its own. */
  readonly aside?: Aside;
}

/** A text that is shown beside a sentence, such as the title of a link. `raw` of its tag is `head`, the nodes, `tail`. */
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
  /** Whitespace and the closing brace. */
  readonly tail: string;
}

export interface Branch {
  /** Whitespace before the selector. */
  readonly lead: string;
  readonly selector: string;
  /** Whitespace between the selector and its opening brace. */
  readonly gap: string;
  readonly body: readonly MessageNode[];
}

export type MessageNode = TextNode | CodeNode | TagNode | ComplexNode;

/** A run of nodes that is translated on its own: a whole message, or one branch of `a | b`. */
export interface MessagePart {
  /** The bar between this part and the one before, and the label that Symfony takes off its beginning. */
  readonly separator: string;
  readonly nodes: readonly MessageNode[];
}

/** The rules that hold for the words at one place of a value. */
export interface WordContext {
  /** Inside an ICU branch: a closing brace follows the last word. */
  readonly nested: boolean;
  /** `#` stands for the number here. */
  readonly pound: boolean;
}

export const TOP: WordContext = { nested: false, pound: false };

/** Appends words, merged with words before them. */
export function pushText(nodes: MessageNode[], raw: string, text: string = raw): void {
  if (raw === '') return;
  const last = nodes.at(-1);
  if (last?.type === 'text')
    nodes[nodes.length - 1] = { type: 'text', raw: last.raw + raw, text: last.text + text };
  else nodes.push({ type: 'text', raw, text });
}

/** The bytes that the nodes were read from. */
export function sourceOf(nodes: readonly MessageNode[]): string {
  let source = '';
  for (const node of nodes) source += node.type === 'complex' ? sourceOfComplex(node) : node.raw;
  return source;
}

function sourceOfComplex(node: ComplexNode): string {
  const branches = node.branches.map((b) => `${b.lead}${b.selector}${b.gap}{${sourceOf(b.body)}}`);
  return node.head + branches.join('') + node.tail;
}

/** A defect of a translation, or of a message by itself. */
export interface MessageProblem {
  readonly rule:
    | 'placeholder-mismatch'
    | 'icu-syntax'
    | 'missing-other'
    | 'plural-categories'
    | 'tag-mismatch'
    | 'double-escaped';
  /** One sentence for the user, naming the placeholder, tag or category. */
  readonly detail: string;
}
