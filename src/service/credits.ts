import { batchCredits, emailCredits, SINGLE_CREDIT, subtitleCredits } from '../contract/credits.ts';
import type { EmailRequest, SubtitlesRequest } from '../contract/documents.ts';
import { countTextNodes } from '../documents/page/translate-page.ts';
import { countBlocks } from '../documents/subtitles/translate-subtitles.ts';

const single = (): number => SINGLE_CREDIT;

/**
 * What a valid request costs, before it is done. Operations that are not here cost nothing.
 *
 * @throws DragomanError of `translateSubtitles`: `unreadable_input` for content that is none.
 */
export const creditsOf = {
  translate: single,
  translateBatch: batchCredits,
  translateHtml: single,
  translateEmail: ({ email_body }: Pick<EmailRequest, 'email_body'>): number =>
    emailCredits(countTextNodes(email_body)),
  translateSubtitles: ({ content, format }: Pick<SubtitlesRequest, 'content' | 'format'>): number =>
    subtitleCredits(countBlocks(content, format)),
  detectLanguage: single,
};
