import type { Edit } from '../base/span.ts';
import type { Document } from './format.ts';

/** The edits below the head that a new file needs in any language with this number of plural forms. */
interface TemplateEdits {
  readonly edits: readonly Edit[];
}

/**
 * The edits that empty a document for a new language. They are the same for all languages with the same number of
 * plural forms, so a template is read once for each number, not for each language.
 */
export class TemplateReadings<Reading extends TemplateEdits> {
  readonly #known = new WeakMap<Document, Map<number, Reading>>();

  /** @param read called if nothing is cached for the document and this number of forms */
  of(document: Document, forms: number, read: () => Reading): Reading {
    const known = this.#known.get(document) ?? new Map<number, Reading>();
    const reading = known.get(forms) ?? read();
    // The edits of a file with translations take as much memory as the file, and such a file is rarely the source of
    // many languages.
    if (reading.edits.length * 4 > document.slots.length) return reading;
    this.#known.set(document, known.set(forms, reading));
    return reading;
  }
}
