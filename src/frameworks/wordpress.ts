import { describeFramework } from './description.ts';

export const wordpress = describeFramework({
  id: 'wordpress',
  title: 'WordPress',
  evidence: [
    { files: ['composer.json'], names: ['wordpress-plugin', 'wordpress-theme'] },
    { files: ['wp-config-sample.php'] },
    { files: ['readme.txt'], text: /^Requires at least:/m },
    { files: ['style.css'], text: /^[ \t/*]*Theme Name:/m },
    { files: ['*.php'], text: /^[ \t/*#@]*Plugin Name:/m, isMain: true },
  ],
  formats: ['po'],
});
