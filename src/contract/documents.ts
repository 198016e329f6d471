import * as v from 'valibot';
import { languageCode, textField } from './validation.ts';
import { MAX_EMAIL_BODY, MAX_HTML, MAX_TEXT } from './limits.ts';

const languages = { source: languageCode, target: languageCode };

export const htmlRequest = v.object({ html: textField(MAX_HTML), ...languages });
export type HtmlRequest = v.InferOutput<typeof htmlRequest>;

export const htmlResponse = v.object({ html: v.string() });
export type HtmlResponse = v.InferOutput<typeof htmlResponse>;

export const emailRequest = v.object({
  subject: textField(MAX_TEXT),
  email_body: textField(MAX_EMAIL_BODY),
  ...languages,
});
export type EmailRequest = v.InferOutput<typeof emailRequest>;

export const emailResponse = v.object({ subject: v.string(), html_body: v.string() });
export type EmailResponse = v.InferOutput<typeof emailResponse>;

const SUBTITLE_FORMATS = ['srt', 'vtt'] as const;
const subtitleFormat = v.picklist(SUBTITLE_FORMATS, 'must be srt or vtt');

/** Whether the specification supports files of this format. */
export function isSpecified(format: string): format is (typeof SUBTITLE_FORMATS)[number] {
  return SUBTITLE_FORMATS.some((known) => known === format);
}

/** The specification has no limit for `content`. */
export const subtitlesRequest = v.object({
  format: subtitleFormat,
  content: v.pipe(v.string(), v.nonEmpty('cannot be empty')),
  ...languages,
});
export type SubtitlesRequest = v.InferOutput<typeof subtitlesRequest>;

export const subtitlesResponse = v.object({ format: subtitleFormat, content: v.string() });
export type SubtitlesResponse = v.InferOutput<typeof subtitlesResponse>;
