import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPseudoEngine } from '../../src/engines/pseudo/pseudo.ts';
import { spellInFile } from '../../src/formats/registry.ts';
import { openFile } from '../../src/documents/localization/open-file.ts';
import { translateFile } from '../../src/documents/localization/translate-file.ts';

/** A localization file with this many keys. */
export interface LocalizationFile {
  readonly name: string;
  readonly content: string;
  readonly keys: number;
}

const entries = (count: number, entry: (key: string, text: string) => string, between = ''): string =>
  Array.from({ length: count }, (_, i) => entry(`key${i}`, `Open file {name} number ${i}`)).join(between);

/** A file of each format. */
export function localizationFiles(keys: number): readonly LocalizationFile[] {
  const contents: Readonly<Record<string, string>> = {
    'app.json': `{\n${entries(keys, (key, text) => `  "${key}": "${text}"`, ',\n')}\n}\n`,
    'app.yaml': entries(keys, (key, text) => `${key}: "${text}" # kept\n`),
    'app.po': `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n${entries(
      keys,
      (key, text) => `#. ${key}\nmsgid "${text}"\nmsgstr ""\n`,
      '\n',
    )}`,
    'app.properties': entries(keys, (key, text) => `${key} = ${text}\n`),
    'app.strings': entries(keys, (key, text) => `"${key}" = "${text}";\n`),
    'app.xml': `<resources>\n${entries(keys, (key, text) => `  <string name="${key}">${text}</string>\n`)}</resources>\n`,
  };
  return Object.entries(contents).map(([name, content]) => ({ name, content, keys }));
}

/** The result of `translateFile` for a file, computed once. */
export class Expected {
  readonly #directory: string;
  readonly #engine = createPseudoEngine();
  readonly #made = new Map<string, Promise<Buffer>>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  of(file: LocalizationFile, locale: string): Promise<Buffer> {
    const id = `${file.name} ${locale}`;
    const made = this.#made.get(id) ?? this.#make(file, locale);
    this.#made.set(id, made);
    return made;
  }

  async #make({ name, content }: LocalizationFile, locale: string): Promise<Buffer> {
    const path = join(this.#directory, `${locale}-${name}`);
    await writeFile(path, content);
    const file = await openFile(path, { locale: 'en' });
    const { bytes, failed } = await translateFile(
      file,
      { locale, spelling: spellInFile(locale, file.format) },
      { engine: this.#engine, source: 'en', signal: AbortSignal.timeout(60_000) },
    );
    if (failed.length > 0) throw new Error(`${name}: ${failed[0]?.reason}`);
    return Buffer.from(bytes);
  }
}
