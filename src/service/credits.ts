import type { EmailRequest, SubtitlesRequest } from '../contract/documents.ts';
import type { BatchRequest } from '../contract/texts.ts';
import { countTextNodes } from '../documents/page/translate-page.ts';
import { countBlocks } from '../documents/subtitles/translate-subtitles.ts';

/** Also of the operations of version 1. */
const single = (): number => 1;

/**
 * What a valid request costs, before it is done. Operations that are not here cost nothing.
 *
 * @throws DragomanError of `translateSubtitles`: `unreadable_input` for content that is none.
 */
export const creditsOf = {
  translate: single,
  translateBatch: ({ texts }: Pick<BatchRequest, 'texts'>): number => texts.length,
  translateHtml: single,
  /** The subject, and the segments between the tags of the body that are not only white space. */
  translateEmail: ({ email_body }: Pick<EmailRequest, 'email_body'>): number =>
    1 + countTextNodes(email_body),
  translateSubtitles: ({ content, format }: Pick<SubtitlesRequest, 'content' | 'format'>): number =>
    countBlocks(content, format),
  detectLanguage: single,
};
