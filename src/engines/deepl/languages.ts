import { fieldOf, textOf } from '../../base/json.ts';
import type { HostedConnection } from '../hosted/connection.ts';
import { listOf } from '../hosted/provider.ts';

/** The languages that a resource of DeepL's API reads and writes, in the spelling of its other endpoints. */
export interface LanguageOffer {
  readonly sources: readonly string[];
  readonly targets: readonly string[];
}

/** Asks `/v3/languages`, which describes every resource. */
export async function readOffer(
  connection: HostedConnection,
  resource: 'translate_text' | 'glossary',
  signal: AbortSignal,
): Promise<LanguageOffer> {
  const path = `/v3/languages?resource=${resource}`;
  const languages = listOf(connection.provider, await connection.send({ method: 'GET', path, signal }));
  const usableAs = (role: string): readonly string[] =>
    languages.flatMap((item) =>
      fieldOf(item, `usable_as_${role}`) === true ? (textOf(item, 'lang')?.toUpperCase() ?? []) : [],
    );
  return { sources: usableAs('source'), targets: usableAs('target') };
}
