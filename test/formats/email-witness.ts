import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A message as Python's email package reads it. */
export interface Witnessed {
  readonly subject: string | null;
  readonly root: WitnessedPart;
}

export interface WitnessedPart {
  readonly type: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly preamble: string | null;
  readonly epilogue: string | null;
  readonly disposition: string | null;
  readonly filename: string | null;
  readonly children?: readonly WitnessedPart[];
  /** Decoded, in base64. */
  readonly body?: string;
  readonly text?: string | null;
}

const PYTHON = '/usr/bin/python3';

export const hasPython = existsSync(PYTHON);

/** Reads messages with Python, all in one process. */
export function witness(messages: readonly Uint8Array[]): readonly Witnessed[] {
  const script = new URL('email-oracle.py', import.meta.url).pathname;
  const { status, stdout, stderr } = spawnSync(PYTHON, [script], {
    input: JSON.stringify(messages.map((bytes) => Buffer.from(bytes).toString('base64'))),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    timeout: 60_000,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as readonly Witnessed[];
}

/** Leaves of the tree in order, without opening nested messages. */
export function leavesOf(part: WitnessedPart): readonly WitnessedPart[] {
  if (!part.children || part.type === 'message/rfc822') return [part];
  return part.children.flatMap(leavesOf);
}
