import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The name of a new addition, in each of its spellings. */
export interface Names {
  /** `string-table` */
  readonly id: string;
  /** `stringTable` */
  readonly variable: string;
  /** `StringTable` */
  readonly type: string;
}

/** A line to insert into an existing file. */
export interface NewLine {
  readonly file: string;
  /** Matches the beginning of the text before which the line is inserted. */
  readonly before: RegExp;
  readonly line: string;
}

/** The template of an addition on one axis of the program. */
export interface Axis {
  /** New files, by their paths. */
  readonly filesOf: (names: Names) => Map<string, string>;
  readonly linesOf: (names: Names) => readonly NewLine[];
  /** The commands to run next. */
  readonly next: string;
}

/** The files at and below these paths, with `rename` applied to their paths and contents. */
export function copyAs(paths: readonly string[], rename: (text: string) => string): Map<string, string> {
  const copies = new Map<string, string>();
  for (const path of paths) {
    const found = statSync(path).isFile()
      ? [path]
      : readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name));
    for (const file of found.filter((name) => statSync(name).isFile()))
      copies.set(rename(file), rename(readFileSync(file, 'utf8')));
  }
  return copies;
}
