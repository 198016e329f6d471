import { bucketRows } from './bucket.ts';
import { databaseRows } from './databases.ts';
import { documentRows } from './documents.ts';
import { endingRows } from './endings.ts';
import { gitRows } from './git.ts';
import { jobRows } from './jobs.ts';
import { journalRows } from './journals.ts';
import { keyRows } from './keys.ts';
import { neighbourRows } from './neighbours.ts';
import { operatorRows } from './operators.ts';
import { pageRows } from './pages.ts';
import { pipelineRows } from './pipelines.ts';
import { placeRows } from './places.ts';
import { programRows } from './programs.ts';
import type { AttackArea } from './row.ts';
import { runnerRows } from './runners.ts';
import { serverRows } from './server.ts';
import { transportRows } from './transport.ts';
import { userProgramRows } from './user-programs.ts';
import { webhookRows } from './webhooks.ts';

/** Every attack of `npm run attack`, in the order of the table: checkouts first, then servers and their users. */
export const attackAreas: readonly AttackArea[] = [
  { name: 'git', rows: gitRows },
  { name: 'programs', rows: programRows },
  { name: 'places', rows: placeRows },
  { name: 'keys', rows: keyRows },
  { name: 'journals', rows: journalRows },
  { name: 'databases', rows: databaseRows },
  { name: 'documents', rows: documentRows },
  { name: 'runners', rows: runnerRows },
  { name: 'pipelines', rows: pipelineRows },
  { name: 'pages', rows: pageRows },
  { name: 'user programs', rows: userProgramRows },
  { name: 'endings', rows: endingRows },
  { name: 'transport', rows: transportRows },
  { name: 'server', rows: serverRows },
  { name: 'jobs', rows: jobRows },
  { name: 'neighbours', rows: neighbourRows },
  { name: 'webhooks', rows: webhookRows },
  { name: 'operators', rows: operatorRows },
  { name: 'bucket', rows: bucketRows },
];
