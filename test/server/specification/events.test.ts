import { checkSections } from './row.ts';
import { eventSections } from './sections.ts';

checkSections(eventSections, { privateWebhooks: true });
