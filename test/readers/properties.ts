import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { works } from './process.ts';
import type { Entry, Reader, Reading } from './reader.ts';

const PROGRAM = fileURLToPath(new URL('PropertiesReader.java', import.meta.url));
/** For a program that ends within a second: Java's other compiler and collector would double the processor time. */
export const JAVA_OPTIONS = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'] as const;
const decode = (word = ''): string => Buffer.from(word.slice(1), 'base64').toString('utf16le');

/** java.util.Properties, one virtual machine for all files. */
export const javaProperties: Reader = {
  name: 'java.util.Properties',
  lastWins: false,
  missing: () => (works('javac', ['-version']) ? undefined : 'a JDK (Debian: default-jdk-headless)'),
  read: (files) => {
    const input = files.map(({ bytes }) => `${Buffer.from(bytes).toString('base64')}\n`).join('');
    const options = { input, encoding: 'ascii', timeout: 60_000, maxBuffer: 1 << 30 } as const;
    const { status, stdout, stderr, error } = spawnSync('java', [...JAVA_OPTIONS, PROGRAM], options);
    if (error) throw error;
    if (status !== 0) throw new Error(`java ended with ${status}: ${stderr}`);
    return readingsOf(stdout);
  },
};

function readingsOf(output: string): Reading[] {
  const readings: Reading[] = [];
  let entries: Entry[] = [];
  for (const line of output.split('\n')) {
    const [what, first, second] = line.split(' ');
    if (what === 'entry') entries.push({ key: [decode(first)], value: decode(second), kind: 'text' });
    else if (what === 'end' || what === 'refused') {
      readings.push(what === 'end' ? { entries } : { refused: decode(first) });
      entries = [];
    }
  }
  return readings;
}
