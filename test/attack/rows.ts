import { bucketRows } from './bucket.ts';
import { journalRows } from './journals.ts';
import { keyRows } from './keys.ts';
import { operatorRows } from './operators.ts';
import { placeRows } from './places.ts';
import { programRows } from './programs.ts';
import type { AttackArea } from './row.ts';
import { serverRows } from './server.ts';
import { userProgramRows } from './user-programs.ts';
import { webhookRows } from './webhooks.ts';

/** Every attack of `npm run attack`, in the order of the table. */
export const attackAreas: readonly AttackArea[] = [
  { name: 'programs', rows: programRows },
  { name: 'places', rows: placeRows },
  { name: 'keys', rows: keyRows },
  { name: 'journals', rows: journalRows },
  { name: 'operators', rows: operatorRows },
  { name: 'server', rows: serverRows },
  { name: 'user programs', rows: userProgramRows },
  { name: 'webhooks', rows: webhookRows },
  { name: 'bucket', rows: bucketRows },
];
