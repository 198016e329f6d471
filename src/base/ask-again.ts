import { readBoundedSync, readDigestSync } from './bounded-read.ts';
import { entryAt, isExposedAt, listAt, realPathAt, typeAt } from './file-facts.ts';
import { readHead } from './file-head.ts';
import { Observations, observe, type Asked } from './observations.ts';

/** No file of a project is larger, nor its lock. */
const LIMIT = 256 * 1024 * 1024;

/** Most files fit into it. */
const BUFFER_BYTES = 256 * 1024;

/** Asks the same questions as an earlier run, in the same way. What cannot be answered any more spoils the answers. */
export async function askAgain(questions: readonly Asked[]): Promise<Observations> {
  const observations = new Observations();
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  await observe(observations, () => {
    for (const asked of questions) {
      try {
        ask(asked, buffer);
      } catch {
        // What is not there is noted where it was looked for.
      }
    }
  });
  return observations;
}

function ask([question, path]: Asked, buffer: Buffer): void {
  switch (question) {
    case 'own':
      readDigestSync(path, { limit: LIMIT, refusesLinks: true, buffer });
      return;
    case 'bytes':
      readBoundedSync(path, { limit: LIMIT, buffer });
      return;
    case 'list':
      listAt(path);
      return;
    case 'real':
      realPathAt(path);
      return;
    case 'type':
      typeAt(path);
      return;
    case 'entry':
      entryAt(path);
      return;
    case 'exposure':
      isExposedAt(path);
      return;
    default:
      readHead(path, Number(question.slice('head '.length)));
  }
}
