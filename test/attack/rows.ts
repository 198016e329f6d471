import type { AttackArea } from './row.ts';
import { bucketRows } from './bucket.ts';

/** Every attack of `npm run attack`, in the order of the table. */
export const attackAreas: readonly AttackArea[] = [{ name: 'bucket', rows: bucketRows }];
