import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { exceptionOf, findPatterns, PATTERNS, readExceptions, type ProseFinding } from './prose/patterns.ts';

/** Counts phrases that readers stumble over, and exits with 1 if the count exceeds the limit. */
const LIMIT = new URL('prose/limit.json', import.meta.url);
const EXCEPTIONS = new URL('prose/exceptions.txt', import.meta.url);
const WORST_FILES = 15;

const { values } = parseArgs({
  options: { list: { type: 'string' }, lower: { type: 'boolean', default: false } },
});
const files = readdirSync('.', { recursive: false, encoding: 'utf8' })
  .filter((name) => /^(?:README|ARCHITECTURE|CONTRIBUTING)\.md$/.test(name))
  .concat(filesBelow('src', /\.tsx?$/), filesBelow('docs', /^(?!decisions|reference).*\.md$/));
const exceptions = readExceptions(readFileSync(EXCEPTIONS, 'utf8'));
const all = files.flatMap((path) => findPatterns(path, readFileSync(path, 'utf8')));
const findings = all.filter((finding) => !exceptions.has(exceptionOf(finding)));
const used = new Set(all.map(exceptionOf));
const unused = [...exceptions].filter((exception) => !used.has(exception));

if (values.list !== undefined) list(values.list);
else summarize();

function filesBelow(directory: string, names: RegExp): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => names.test(name))
    .map((name) => `${directory}/${name}`)
    .toSorted();
}

/** Prints the lines of one pattern, or of the files below a path. */
function list(what: string): void {
  const listed = findings.filter(({ pattern, path }) => pattern === what || path.startsWith(what));
  for (const { path, line, pattern, text } of listed) print(`${path}:${line}: ${pattern}: ${text}`);
}

function summarize(): void {
  const { limit } = JSON.parse(readFileSync(LIMIT, 'utf8')) as { readonly limit: number };
  for (const { name, better } of PATTERNS)
    print(`${columnOf(countOf(({ pattern }) => pattern === name))} ${name.padEnd(20)} ${better}`);
  const paths = [...new Set(findings.map(({ path }) => path))].map(
    (path) => [countOf((finding) => finding.path === path), path] as const,
  );
  print('\nThe files with the most, which --list PATH shows:');
  for (const [count, path] of paths.toSorted(([a], [b]) => b - a).slice(0, WORST_FILES))
    print(`${columnOf(count)} ${path}`);
  print(`\n${findings.length} in all; the limit is ${limit}.`);
  for (const exception of unused) print(`This exception matches no line. Remove it: ${exception}`);
  if (findings.length > limit) print('Too many: rewrite the new ones. The limit only goes down.');
  process.exitCode = findings.length > limit || unused.length > 0 ? 1 : 0;
  if (values.lower && findings.length < limit) {
    writeFileSync(LIMIT, `{ "limit": ${findings.length} }\n`);
    print(`The limit is ${findings.length} now.`);
  }
}

function countOf(belongs: (finding: ProseFinding) => boolean): number {
  return findings.filter(belongs).length;
}

function columnOf(count: number): string {
  return String(count).padStart(5);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
