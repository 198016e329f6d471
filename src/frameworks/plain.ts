import { describeFramework } from './description.ts';

/** The rest: files of which nothing shows what reads them. Their names and values show how they are written. */
export const plain = describeFramework({
  id: 'plain',
  title: 'no framework',
  evidence: [],
  formats: [],
});
