import { projectWith } from './harness.ts';
import { fakeService, sendJson } from './service.ts';

/** A project with a file of this many keys, each with its own text. */
export function numberedTexts(keys: number): string {
  const values = Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, `Text number ${i}`]));
  return projectWith({ 'en.json': `${JSON.stringify(values, null, 1)}\n` });
}

interface Batch {
  readonly texts: string[];
  readonly target: string;
}

/** A service that counts its texts, and answers each batch as `decide` determines. */
export async function countingService(decide: (batch: number) => 'answer' | 'cut' | number, delayMs = 0) {
  const sent: string[] = [];
  let batches = 0;
  const fake = await fakeService((request, response, body) => {
    if (request.url === '/v2/supported-languages') {
      sendJson(response, { supported_languages: { Auto: 'auto', English: 'en', German: 'de' } });
      return;
    }
    const { texts, target } = JSON.parse(body) as Batch;
    sent.push(...texts);
    const decision = decide(++batches);
    if (decision === 'cut') response.destroy();
    else if (decision !== 'answer') sendJson(response, { detail: 'internal server error' }, decision);
    else {
      const translations = texts.map((value) => {
        return { text: value, translation: `${target}:${value}`, source: 'en', target, success: true };
      });
      const total = texts.length;
      setTimeout(() => sendJson(response, { translations, total, successful: total, failed: 0 }), delayMs);
    }
  });
  return { sent, env: { DRAGOMAN_BASE_URL: fake.url, DRAGOMAN_API_KEY: 'k' }, batches: () => batches };
}
