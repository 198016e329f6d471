import { expect, it } from 'vitest';
import { GUIDE, JARDIN, project, sync } from './garden-pages.ts';

it.each([
  [
    'a paragraph in place of an item',
    'Sow the beans.\n\n- A `saw` of 30 centimetres.\n- Wash the [gloves](./gloves.md) by hand.\n- Dry them for `3` days in the shade.',
    'Siembre.\n\nLave los [guantes](./gloves.md) a mano.\n- Séquelos `3` días a la sombra.',
    '',
  ],
  [
    'a heading of another level',
    '### Gloves\n\nThe gloves are `green`.\n\n### 7 hands {#hands}',
    '## 7 manos {#hands}',
    '### es:Gloves\n\nes:The gloves are `green`.\n\n',
  ],
  [
    'an empty line above a list',
    'See [the list](./list.md) of what to take:\n- Gloves of `leather`, size 42.\n- A `saw` of 30 centimetres.',
    'Véase [la lista](./list.md) de lo que hay que llevar:\n\n- Una `saw` de 30 centímetros.',
    '- es:Gloves of `leather`, size 42.\n',
  ],
])('keeps %s next to a missing text', async (_, english, spanish, inserted) => {
  const guide = GUIDE.replace('## Watering', `${english}\n\n## Watering`);
  const last = spanish.lastIndexOf('\n') + 1;
  const translated = inserted === '' ? spanish : spanish.slice(0, last) + inserted + spanish.slice(last);
  const { written } = await sync(project(guide, JARDIN.replace('## Riego', `${spanish}\n\n## Riego`)));
  expect(written).toBe(JARDIN.replace('## Riego', `${translated}\n\n## Riego`));
});
