import { readIfThere } from '../../base/bounded-read.ts';
import { DragomanError, inFile } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { readJson } from './json.ts';
import { formatPath, type ValuePath } from './schema.ts';
import { readYaml } from './yaml.ts';

const MAX_BYTES = 1024 * 1024;

/**
 * Reads another tool's configuration: JSON, YAML, INI, or the literal in a module. Undefined if the file is missing.
 *
 * @throws DragomanError for an invalid file
 */
export async function readForeignFile(path: string): Promise<ForeignReading | undefined> {
  const content = await readIfThere(path, { limit: MAX_BYTES });
  return content && new ForeignReading(await valueOf(path, content.toString('utf8').replace(/^\ufeff/, '')));
}

async function valueOf(path: string, text: string): Promise<unknown> {
  if (/\.ya?ml$/.test(path)) return readYaml(path, text).value;
  if (/\.[cm]?[jt]s$/.test(path)) return readModule(path, text);
  if (/\.?weblate(?:\.ini)?$/.test(path)) return readIni(text);
  return readJson(path, text).value;
}

/** Stands for a value that is only known by running the module. */
const COMPUTED = Symbol('computed');

/**
 * The literal that a JavaScript or TypeScript module exports. Nothing is executed.
 *
 * @throws DragomanError `unreadable_input`, `limit_exceeded`; `configuration` if it exports no literal
 */
async function readModule(path: string, text: string): Promise<unknown> {
  const { parseModule } = await import('../../formats/module/syntax.ts');
  const { root, texts } = inFile(path, () => parseModule(text));
  const valueOfNode = ({ kind, children, start }: typeof root): unknown => {
    if (kind === 'string') return texts.get(start)?.value;
    if (kind === 'array') return children.map(valueOfNode);
    return kind === 'object'
      ? Object.fromEntries(children.map((child) => [child.name, valueOfNode(child)]))
      : COMPUTED;
  };
  const value = valueOfNode(root);
  if (isObject(value)) return value;
  throw new DragomanError('configuration', `${path} does not export an object literal`, {
    hint: 'dragoman does not run it. Name the languages with -s and -t instead.',
  });
}

function readIni(text: string): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const sections: Record<string, Record<string, string>> = {};
  let section = '';
  for (const line of text.split(/\r?\n/)) {
    const [, heading] = /^\s*\[([^\]]*)\]/.exec(line) ?? [];
    const at = line.indexOf('=');
    if (heading !== undefined) section = heading;
    else if (at > 0 && !/^\s*[#;]/.test(line))
      (sections[section] ??= {})[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  return sections;
}

/** Reads another tool's configuration, and records which settings were used. */
export class ForeignReading {
  readonly #value: unknown;
  readonly #used: ValuePath[] = [];

  constructor(value: unknown) {
    this.#value = value;
  }

  at(...path: ValuePath): unknown {
    return path.reduce<unknown>((value, part) => {
      const isContainer = isObject(value) || Array.isArray(value);
      const own: unknown = isContainer ? Object.getOwnPropertyDescriptor(value, part)?.value : undefined;
      return own;
    }, this.#value);
  }

  /** Returns a text, and marks it as used. */
  text(...path: ValuePath): string | undefined {
    const value = this.at(...path);
    if (typeof value !== 'string') return undefined;
    this.use(...path);
    return value;
  }

  /** Returns the texts of a list, or a single text. */
  texts(...path: ValuePath): readonly string[] {
    const value = this.at(...path);
    if (!Array.isArray(value)) return [this.text(...path)].filter((text) => text !== undefined);
    return value.flatMap((_, i) => this.text(...path, i) ?? []);
  }

  /** The keys of a map, or the numbers of a list. */
  keys(...path: ValuePath): readonly (string | number)[] {
    const value = this.at(...path);
    if (Array.isArray(value)) return [...value.keys()];
    return isObject(value) ? Object.keys(value) : [];
  }

  use(...path: ValuePath): void {
    this.#used.push(path);
  }

  /** The names of unused settings. If a whole section is unused, only the section. */
  leftOut(path: ValuePath = []): readonly string[] {
    const value = this.at(...path);
    const isUsed = this.#used.some((used) => used.length === path.length && isWithin(used, path));
    if (isUsed || value === undefined) return [];
    if (path.length > 0 && !this.#used.some((used) => isWithin(used, path))) return [formatPath(path)];
    return this.keys(...path).flatMap((key) => this.leftOut([...path, key]));
  }
}

const isWithin = (path: ValuePath, above: ValuePath): boolean => above.every((part, i) => path[i] === part);
