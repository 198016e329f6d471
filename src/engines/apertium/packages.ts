import { existsSync } from 'node:fs';
import type { LanguagePair } from '../engine.ts';
import { findRoute } from '../route.ts';
import { runChild } from '../../base/bound-child.ts';
import { apertiumEnvironment } from './modes.ts';

interface DebianPackage extends LanguagePair {
  readonly name: string;
}

function both(name: string, a: string, b: string): DebianPackage[] {
  return [
    { name, source: a, target: b },
    { name, source: b, target: a },
  ];
}

/** Debian's packages and their working directions, the better package first. */
const PACKAGES: readonly DebianPackage[] = [
  ...both('apertium-eng-cat', 'en', 'ca'),
  ...both('apertium-eng-spa', 'en', 'es'),
  ...both('apertium-en-gl', 'en', 'gl'),
  ...both('apertium-eo-en', 'en', 'eo'),
  ...both('apertium-fr-es', 'es', 'fr'),
  ...both('apertium-es-pt', 'es', 'pt'),
  { name: 'apertium-es-pt', source: 'es', target: 'pt-BR' },
  ...both('apertium-spa-ita', 'es', 'it'),
  ...both('apertium-spa-arg', 'es', 'an'),
  { name: 'apertium-spa-ast', source: 'es', target: 'ast' },
  ...both('apertium-oc-es', 'es', 'oc'),
  { name: 'apertium-cat-srd', source: 'ca', target: 'sc' },
];

const STARTER = [
  'apertium-eng-spa',
  'apertium-eng-cat',
  'apertium-fr-es',
  'apertium-es-pt',
  'apertium-spa-ita',
];
const ELSEWHERE = 'Install Apertium and its language pairs: https://wiki.apertium.org/wiki/Installation';

function aptGet(packages: readonly string[]): string {
  return `apt-get install --no-install-recommends ${['apertium', ...new Set(packages)].join(' ')}`;
}

function isDebianLike(): boolean {
  return existsSync('/etc/debian_version');
}

/** The command that installs Apertium or more languages. */
export function installHint(): string {
  return isDebianLike() ? aptGet(STARTER) : ELSEWHERE;
}

/** The command that installs this pair; undefined if no known package has it. */
export function installHintFor(source: string, target: string): string | undefined {
  const route = findRoute(PACKAGES, source, target);
  if (!route) return undefined;
  return isDebianLike() ? aptGet(route.map((step) => step.name)) : ELSEWHERE;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 10_000;

/** `Apertium 3.8.3`, as the program reports; undefined if it is not installed or does not answer. */
export async function apertiumVersion(): Promise<string | undefined> {
  const options = {
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_BYTES,
    env: apertiumEnvironment(),
  } as const;
  try {
    return /^Apertium [\w.+-]{1,40}$/m.exec(await runChild('apertium', ['-V'], options))?.[0];
  } catch {
    return undefined;
  }
}
