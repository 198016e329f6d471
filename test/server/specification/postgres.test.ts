import { describe } from 'vitest';
import { hasPostgres } from '../../postgres/cluster.ts';
import { checkSections } from './row.ts';
import { eventSections, sections } from './sections.ts';

describe.skipIf(!hasPostgres)('the specification on PostgreSQL', () => {
  checkSections([...sections], { isShared: true });
});

describe.skipIf(!hasPostgres)('the events of the specification on PostgreSQL', () => {
  checkSections([...eventSections], { isShared: true, privateWebhooks: true });
});
