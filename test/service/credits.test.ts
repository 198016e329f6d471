import { describe, expect, it } from 'vitest';
import { creditsOf } from '../../src/service/credits.ts';

describe('credits', () => {
  it('of a detection are 1, if the text has letters', () => {
    expect(creditsOf.detectLanguage({ text: 'Hello' })).toBe(1);
    expect(() => creditsOf.detectLanguage({ text: ' ' })).toThrow('text cannot be empty');
  });

  it('of a batch are its number of texts', () => {
    expect(creditsOf.translateBatch({ texts: ['a', '', 'a'] })).toBe(3);
  });

  it('of an e-mail are the number of subject and text nodes with words', () => {
    const email_body = '<p>One <b>two</b> three</p>\n<p> </p><script>var x</script><p>four';
    expect(creditsOf.translateEmail({ email_body })).toBe(1 + 4);
    expect(creditsOf.translateEmail({ email_body: '<br>' })).toBe(1);
  });

  it('of subtitles are the number of blocks', () => {
    const content = '1\n00:00:01,000 --> 00:00:02,000\nOne\ntwo\n\n2\n00:00:03,000 --> 00:00:04,000\nThree\n';
    expect(creditsOf.translateSubtitles({ content, format: 'srt' })).toBe(2);
    const vtt = `WEBVTT\n\nNOTE none\n\n${content.replaceAll(',', '.')}`;
    expect(creditsOf.translateSubtitles({ content: vtt, format: 'vtt' })).toBe(2);
  });
});
