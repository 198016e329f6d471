import { checkSections } from './row.ts';
import { sections } from './sections.ts';

checkSections(sections);
