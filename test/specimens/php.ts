import { phpTokens } from '../readers/php.ts';
import { splitIntoLines } from './reference.ts';
import type { Specimen } from './specimen.ts';

export const php: Specimen = {
  fixtures: /\.php$/,
  reader: phpTokens,
  sample: {
    text: "<?php // 'no'\nreturn ['a' => 'b\\'', \"c\" => array(\"\\u{e9}$\", 'e' . 'f'), 'g' => <<<X\n  h\n  X];",
    read: [
      ['a', "b'"],
      ['c', '0', 'é$'],
      ['g', 'h'],
    ],
    broken: "<?php return ['a' => 'b;",
  },
  threeKeys: {
    text: "<?php\nreturn ['a' => '1', 'b' => '2', 'c' => '3'];\n",
    hostile: "'x', 'd' => 'y'",
  },
  hostile: [
    ['S :name W :Place', ':name', ':Place'],
    ['{0} S|[1,*] :count W', '{0}', '[1,*]', ':count'],
  ],
  made: [
    {
      name: 'php',
      extension: 'php',
      head: '<?php\n\nreturn [\n',
      entry: (i, text) => `    'section.key${i}' => '${text} – :name',\n`,
      tail: '];\n',
      megabytes: 300,
      reference: splitIntoLines,
    },
  ],
};
