import { describe, expect, it } from 'vitest';
import { eventSections, sections } from './sections.ts';

/** The headings of the specification with the number of their rows, so that a lost row is noticed. */
const EXPECTED = {
  'Translation Service API': 3,
  'What the service does': 13,
  'Language code': 5,
  'Translation result': 6,
  'Batch item': 3,
  'i18n job': 19,
  'Translated file': 7,
  'Account summary': 15,
  'Health report': 2,
  'States and transitions': 12,
  'Common rules': 3,
  'POST /v2/translate': 8,
  'POST /v2/translate/batch': 13,
  'POST /v2/translate/html': 10,
  'POST /v2/translate/email': 14,
  'POST /v2/translate/subtitles': 15,
  'POST /v2/language_detect': 7,
  'GET /v2/supported-languages': 4,
  'POST /v2/translate/i18n': 25,
  'GET /v2/translate/i18n/jobs': 4,
  'GET /v2/translate/i18n/jobs/{job_id}/status': 3,
  'GET /v2/translate/i18n/jobs/{job_id}/download': 10,
  'DELETE /v2/translate/i18n/jobs/{job_id}': 4,
  'GET /v2/account/summary': 2,
  'GET /health': 2,
  'POST /v1/translate': 8,
  'POST /v1/language_detect': 5,
  'Legacy v1 endpoints': 2,
  Authentication: 14,
  Errors: 19,
  Limits: 29,
  'Credits per operation': 26,
  Versioning: 6,
  Events: 5,
  Delivery: 23,
  'Payload of i18n_translation.completed': 7,
};

const all = [...sections, ...eventSections];

describe('the rows', () => {
  it('exist for every section of the specification', () => {
    expect(all.map(({ title, rows }) => [title, rows.length])).toEqual(Object.entries(EXPECTED));
  });

  it.each(all)('of $title have different texts', ({ rows }) => {
    const says = rows.map(([text]) => text);
    expect(new Set(says).size).toBe(says.length);
  });
});
