import { describeWith } from '../../postgres/requirements.ts';
import { checkSections } from './row.ts';
import { eventSections, sections } from './sections.ts';

describeWith(['postgres', 'haproxy'], 'the specification on 3 servers behind a balancer', () => {
  checkSections(sections, { replicas: 3 });
});

describeWith(
  ['postgres', 'haproxy'],
  'the events of the specification on 3 servers behind a balancer',
  () => {
    checkSections(eventSections, { replicas: 3, privateWebhooks: true });
  },
);
