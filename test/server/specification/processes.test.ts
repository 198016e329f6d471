import { describeWith } from '../../postgres/requirements.ts';
import { checkSections } from './row.ts';
import { eventSections, sections } from './sections.ts';

describeWith(['haproxy'], 'the specification on 2 processes of one server', () => {
  checkSections(sections, { processes: 2 });
});

describeWith(['haproxy'], 'the events of the specification on 2 processes of one server', () => {
  checkSections(eventSections, { processes: 2, privateWebhooks: true });
});
