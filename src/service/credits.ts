import type { EmailRequest, SubtitlesRequest } from '../contract/documents.ts';
import type { RequestId, RequestOf } from '../contract/operations.ts';
import type { BatchRequest, DetectRequest } from '../contract/texts.ts';
import { countTextNodes } from '../documents/page/translate-page.ts';
import { countBlocks } from '../documents/subtitles/translate-subtitles.ts';
import { requireVisibleText } from './languages.ts';

/**
 * What a valid request costs, before it is done, where that is not always the least that its line of the table says.
 *
 * @throws DragomanError of `translateSubtitles`: `unreadable_input` for content that is none; of `detectLanguage`:
 * `invalid_request` for a text that nothing shows.
 */
export const creditsOf = {
  translateBatch: ({ texts }: Pick<BatchRequest, 'texts'>) => texts.length,
  /** The subject, and the segments between the tags of the body that are not only white space. */
  translateEmail: ({ email_body }: Pick<EmailRequest, 'email_body'>) => 1 + countTextNodes(email_body),
  translateSubtitles: ({ content, format }: Pick<SubtitlesRequest, 'content' | 'format'>) =>
    countBlocks(content, format),
  detectLanguage: (request: DetectRequest) => {
    requireVisibleText(request);
    return 1;
  },
} satisfies { readonly [Id in RequestId]?: (request: RequestOf<Id>) => number };
