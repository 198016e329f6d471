/** A translated text of a message. */
export interface TranslatedBody {
  readonly text: string;
  /** Paragraphs or text nodes that were to be translated. */
  readonly texts: number;
  /** What keeps its source text; lines of the text from 0. */
  readonly failures: readonly { readonly line: number; readonly reason: string }[];
}
