import type { EmailRequest, SubtitlesRequest } from '../contract/documents.ts';
import type { RequestId, RequestOf } from '../contract/operations.ts';
import type { BatchRequest, DetectRequest } from '../contract/texts.ts';
import { countTextNodes } from '../documents/page/translate-page.ts';
import { countBlocks } from '../documents/subtitles/translate-subtitles.ts';
import { requireVisibleText } from './languages.ts';

/**
 * The price of a valid request before the work, if it can exceed the minimum in the operations table.
 *
 * @throws DragomanError of `translateSubtitles`: `unreadable_input` for invalid content; of `detectLanguage`:
 * `invalid_request` for invisible text
 */
export const creditsOf = {
  translateBatch: ({ texts }: Pick<BatchRequest, 'texts'>) => texts.length,
  /** The subject, and the segments between the body's tags that contain more than white space. */
  translateEmail: ({ email_body }: Pick<EmailRequest, 'email_body'>) => 1 + countTextNodes(email_body),
  translateSubtitles: ({ content, format }: Pick<SubtitlesRequest, 'content' | 'format'>) =>
    countBlocks(content, format),
  detectLanguage: (request: DetectRequest) => {
    requireVisibleText(request);
    return 1;
  },
} satisfies { readonly [Id in RequestId]?: (request: RequestOf<Id>) => number };
