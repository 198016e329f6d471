import fc, { type GeneratorValue } from 'fast-check';

/** The content of a file, independent of any format: a tree of named items with comments. */
export interface Item {
  /** Its spellings in the format, which all mean the same name. */
  readonly name: readonly string[];
  /** Comments above it, each unique within the test. */
  readonly notes: readonly string[];
  /** Whether there is a blank line above. */
  readonly gap: boolean;
  readonly body: Body;
}

/** Texts in the spelling of the format. */
export type Body =
  | { readonly text: string }
  | { readonly children: readonly Item[] }
  | { readonly list: readonly string[] }
  | { readonly forms: Readonly<Record<string, string>> };

export interface FileModel {
  readonly locale: string;
  readonly items: readonly Item[];
  /** Comments of the file itself, at its beginning and end. */
  readonly head: readonly string[];
  readonly foot: readonly string[];
}

export interface Style {
  readonly newline: '\n' | '\r\n';
  readonly indent: string;
  readonly finalNewline: boolean;
  /** Selects one of several equivalent notations: quotes, separators, trailing commas, empty containers. */
  readonly spelling: number;
  /** Whether everything is on one line, if the format allows it. */
  readonly compact: boolean;
}

/** One dialect of a format: what the generators may use, and how to spell it. */
export interface Dialect {
  readonly name: string;
  readonly path: string;
  readonly target: string;
  /** Spellings of each name. */
  readonly names: readonly (readonly string[])[];
  /** Spellings of texts; `0000` in them is replaced with a unique number. */
  readonly texts: readonly string[];
  readonly branches?: boolean;
  readonly lists?: boolean;
  /** The plural categories of the target's files, in the order of the forms. */
  readonly plurals?: readonly string[];
  /** Whether a form can exist only after all earlier forms. */
  readonly formsInOrder?: boolean;
  readonly comments?: boolean;
  /** Developers' notes that are not comments: members, attributes. */
  readonly descriptions?: boolean;
  readonly compact?: boolean;
  readonly tabs?: boolean;
  write(file: FileModel, style: Style): string;
}

type Gen = GeneratorValue;

export const pick = <T>(g: Gen, list: readonly T[]): T => list[g(fc.nat, list.length - 1)] as T;

/** Shrinks towards false. */
export const chance = (g: Gen, percent: number): boolean => g(fc.nat, 99) >= 100 - percent;

export class Writer {
  readonly #g: Gen;
  readonly #dialect: Dialect;
  #count = 0;

  constructor(g: Gen, dialect: Dialect) {
    this.#g = g;
    this.#dialect = dialect;
  }

  style(): Style {
    const { compact, tabs } = this.#dialect;
    return {
      newline: chance(this.#g, 30) ? '\r\n' : '\n',
      indent: pick(this.#g, tabs ? ['  ', '    ', '\t'] : ['  ', '    ']),
      finalNewline: !chance(this.#g, 25),
      spelling: this.#g(fc.nat, 5),
      compact: compact === true && chance(this.#g, 15),
    };
  }

  source(): FileModel {
    const count = 1 + this.#g(fc.nat, 6);
    return {
      locale: 'en',
      items: this.#names(count).map((name) => this.#item(name, 0)),
      head: this.#comments(30, 'head'),
      foot: this.#comments(20, 'foot'),
    };
  }

  /** A translation of the source as a person may have left it. */
  existing(source: FileModel): FileModel {
    return {
      locale: this.#dialect.target,
      items: this.#derive(source.items, 0),
      head: this.#comments(30, 'own head'),
      foot: this.#comments(20, 'own foot'),
    };
  }

  text(): string {
    return pick(this.#g, this.#dialect.texts).replaceAll('0000', this.unique());
  }

  unique(): string {
    return String(++this.#count).padStart(4, '0');
  }

  #names(count: number, taken: readonly Item[] = []): readonly (readonly string[])[] {
    const used = new Set(taken.map(({ name }) => name));
    const free = this.#dialect.names.filter((name) => !used.has(name));
    return Array.from({ length: Math.min(count, free.length) }, () => {
      const name = pick(this.#g, free);
      free.splice(free.indexOf(name), 1);
      return name;
    });
  }

  #item(name: readonly string[], depth: number): Item {
    const { comments, descriptions } = this.#dialect;
    return {
      name,
      notes: comments || descriptions ? this.#comments(25, 'note', true) : [],
      gap: chance(this.#g, 20),
      body: this.#body(depth),
    };
  }

  #body(depth: number): Body {
    const { branches, lists, plurals } = this.#dialect;
    if (branches && depth < 2 && chance(this.#g, 30)) {
      return { children: this.#names(1 + this.#g(fc.nat, 3)).map((name) => this.#item(name, depth + 1)) };
    }
    if (lists && chance(this.#g, 15))
      return { list: Array.from({ length: 1 + this.#g(fc.nat, 2) }, () => this.text()) };
    if (plurals && chance(this.#g, 30)) return { forms: { one: this.text(), other: this.text() } };
    return { text: this.text() };
  }

  #comments(percent: number, word: string, description = false): readonly string[] {
    if (!this.#dialect.comments && !(description && this.#dialect.descriptions)) return [];
    return chance(this.#g, percent) ? [`${word} ${this.unique()}`] : [];
  }

  #derive(items: readonly Item[], depth: number): readonly Item[] {
    const kept = items
      .filter(() => !chance(this.#g, 35))
      .map((item): Item => ({
        ...item,
        notes: chance(this.#g, 50) ? item.notes : this.#comments(30, 'own'),
        gap: chance(this.#g, 20),
        body: this.#translate(item.body, depth),
      }));
    const ordered = chance(this.#g, 25) ? shuffle(this.#g, kept) : kept;
    for (const name of this.#names(chance(this.#g, 30) ? 1 + this.#g(fc.nat, 1) : 0, items)) {
      const extra = { ...this.#item(name, 2), notes: this.#comments(50, 'own') };
      ordered.splice(this.#g(fc.nat, ordered.length), 0, extra);
    }
    return ordered;
  }

  #translate(body: Body, depth: number): Body {
    if ('children' in body) return { children: this.#derive(body.children, depth + 1) };
    if ('list' in body) {
      return { list: body.list.slice(0, chance(this.#g, 25) ? 1 : body.list.length).map(() => this.text()) };
    }
    if ('text' in body) return { text: this.text() };
    const categories = this.#dialect.plurals ?? [];
    const present = this.#dialect.formsInOrder
      ? categories.slice(
          0,
          chance(this.#g, 25) ? 1 + this.#g(fc.nat, categories.length - 1) : categories.length,
        )
      : categories.filter((category) => category === 'other' || !chance(this.#g, 25));
    return { forms: Object.fromEntries(present.map((category) => [category, this.text()])) };
  }
}

function shuffle<T>(g: Gen, list: readonly T[]): T[] {
  const left = [...list];
  return list.map(() => left.splice(g(fc.nat, left.length - 1), 1)[0] as T);
}

/** Every comment in the model, at any depth. */
export function commentsOf({ head, foot, items }: FileModel): readonly string[] {
  const inside = (list: readonly Item[]): readonly string[] =>
    list.flatMap(({ notes, body }) => [...notes, ...('children' in body ? inside(body.children) : [])]);
  return [...head, ...inside(items), ...foot];
}
