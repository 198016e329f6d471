import { describeWith } from '../../postgres/requirements.ts';
import { checkSections } from './row.ts';
import { eventSections, sections } from './sections.ts';

describeWith(['postgres'], 'the specification on PostgreSQL', () => {
  checkSections([...sections], { isShared: true });
});

describeWith(['postgres'], 'the events of the specification on PostgreSQL', () => {
  checkSections([...eventSections], { isShared: true, privateWebhooks: true });
});
