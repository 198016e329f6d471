import { DragomanError } from '../../base/errors.ts';
import { describeFormat } from '../../formats/registry.ts';
import { positionsIn } from '../../base/span.ts';
import { fieldOf, findHeader } from '../../formats/po/header.ts';
import { parseLocale } from '../../languages/locale.ts';
import { readAsTemplate } from '../../documents/localization/carried-source.ts';
import { contextOf } from '../../pipeline/memory.ts';
import { openBytes, readInput, type OpenFile } from '../../documents/localization/open-file.ts';
import { pairWith, slotIds } from '../../documents/localization/pairing.ts';
import type { NewEntry } from '../stored-memory.ts';
import type { MemoryImportOptions } from './exchange.ts';
import { targetOf, UNWANTED } from './target-language.ts';
import { entryOf, isSkip } from './translation-entry.ts';

/** The field for the language of the msgids, as used by translation platforms. */
export const SOURCE_FIELD = 'X-Source-Language';

/**
 * The translations in a PO file or binary catalogue (.mo). The language comes from its header, otherwise from its path,
 * otherwise from the options if they name a single target. The sources are English unless the header or the options
 * name another language. Fuzzy messages are skipped.
 *
 * @param named the language in the path
 * @throws DragomanError like `openFile`, and `usage` if none of them names the language
 */
export async function* readPo(
  path: string,
  options: MemoryImportOptions,
  named?: string,
): AsyncGenerator<NewEntry> {
  const file = await openCatalogue(path);
  const { document } = file;
  const source = options.source ?? sourceOf(file) ?? 'en';
  const target = languageOf(file, options.targets, named);
  if (target === UNWANTED) return;
  if (target === source) {
    options.onSkip({ reason: 'language', detail: `it is in the source language ${source}` });
    return;
  }
  const find = pairWith(readAsTemplate(file, source).document, { locale: target });
  const position = positionsIn(document.text);
  const ids = slotIds(document);
  for (const [i, slot] of document.slots.entries()) {
    const at = position(slot.span.start);
    if (slot.review || slot.value === '') {
      options.onSkip({
        reason: 'untranslated',
        detail: slot.value === '' ? 'it has no translation' : 'it is fuzzy',
        at,
      });
      continue;
    }
    const from = find(slot, ids[i] ?? '');
    const entry = entryOf({
      source: from?.text ?? slot.source ?? '',
      target: slot.value,
      syntax: slot.syntax,
      forms: from?.forms,
      pair: { source, target },
      context: contextOf(slot.key),
      category: slot.plural?.category,
      origin: options.origin,
    });
    if (isSkip(entry)) options.onSkip({ ...entry, at });
    else yield entry;
  }
}

async function openCatalogue(path: string): Promise<OpenFile> {
  const bytes = await readInput(path);
  const isBinary = bytes[0] === 0xde || bytes[0] === 0x95;
  if (!isBinary) return openBytes(bytes, path, { format: describeFormat('po') });
  const { decompileMo } = await import('../../formats/po/mo.ts');
  try {
    return await openBytes(await decompileMo(bytes), path, { format: describeFormat('po') });
  } catch (error) {
    throw error instanceof DragomanError ? error.inFile(path) : error;
  }
}

function sourceOf({ document }: OpenFile): string | undefined {
  const header = findHeader(document.text);
  const value = header && fieldOf(header, SOURCE_FIELD)?.value;
  return value === undefined ? undefined : parseLocale(value);
}

function languageOf(
  { document, path }: OpenFile,
  targets: readonly string[] | undefined,
  named: string | undefined,
): string | typeof UNWANTED {
  const declared = document.locale ?? named;
  const own = declared === undefined ? undefined : targetOf(declared, targets);
  if (own !== undefined) return own;
  const [only, ...others] = targets ?? [];
  if (only !== undefined && others.length === 0) return only;
  throw new DragomanError('usage', `${path} does not declare its language`, {
    hint: 'Name the language with --target.',
  });
}
