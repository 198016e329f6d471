import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Axis, Names } from './new/axis.ts';
import { command } from './new/command.ts';
import { endpoint } from './new/endpoint.ts';
import { engine } from './new/engine.ts';
import { format } from './new/format.ts';
import { framework } from './new/framework.ts';

/**
 * Creates the start of an addition to an axis of the program: its files, its lines in registries and chapters, a
 * fixture and a test. The result works like the example that it was copied from; edit the differences.
 */
const AXES: Readonly<Record<string, Axis>> = { format, engine, command, endpoint, framework };

function refuse(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(2);
}

/** A longer command name would shift the descriptions of all commands in the help. */
const LONGEST = '-V, --version'.length;

const [kind = '', id = ''] = process.argv.slice(2);
const axis = Object.hasOwn(AXES, kind) ? AXES[kind] : undefined;
if (!axis || !/^[a-z][a-z\d]*(?:-[a-z\d]+)*$/.test(id))
  refuse(`usage: npm run new -- ${Object.keys(AXES).join('|')} NAME`);
if (id.length > LONGEST) refuse(`${id} has more than ${LONGEST} letters: choose a shorter name`);

const variable = id.replaceAll(/-([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
const names: Names = { id, variable, type: variable.replace(/^./, (letter) => letter.toUpperCase()) };
const files = axis.filesOf(names);
for (const path of files.keys()) if (existsSync(path)) refuse(`${path} exists: choose another name`);
for (const { file, before, line } of axis.linesOf(names)) {
  const text = files.get(file) ?? readFileSync(file, 'utf8');
  const at = text.search(before);
  if (at < 0) refuse(`${file}: nothing matches ${before}; fix scripts/new`);
  if (text.includes(line)) refuse(`${file} already has ${id}: choose another name`);
  files.set(file, text.slice(0, at) + line + text.slice(at));
}
for (const [path, text] of files) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  process.stdout.write(`${path}\n`);
}
process.stdout.write(`next: ${axis.next}\n`);
