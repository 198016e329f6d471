import { php } from './php.ts';
import type { Specimen } from './specimen.ts';

export const yii: Specimen = {
  ...php,
  threeKeys: {
    text: "<?php\nreturn ['A' => '1', 'B' => '2', 'C' => '3'];\n",
    hostile: "'x', 'D' => 'y'",
  },
  hostile: [
    ['S {name} W', '{name}'],
    ['S {0} W {n, plural, one{# S} other{# W}}', '{0}', '{n, plural, '],
  ],
  made: [
    {
      ...php.made[0],
      name: 'yii',
      head: '<?php\n/** Each array element represents the translation (value) of a message (key). */\nreturn [\n',
      entry: (i, text) => `    'Text ${i} of {name}' => '${text} – {name}',\n`,
    },
  ],
};
