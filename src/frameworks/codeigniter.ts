import { englishNameOf, localeOfEnglishName } from '../languages/catalog.ts';
import { describeFramework } from './description.ts';

/** `language/german/form_lang.php`. */
export const codeigniter = describeFramework({
  id: 'codeigniter',
  title: 'CodeIgniter',
  evidence: [{ files: ['composer.json'], names: ['codeigniter/framework', 'codeigniter4/framework'] }],
  formats: ['php'],
  holds: /_lang\.php$/,
  owns: /(?:^|\/)language\/[^/]+\/(?:.+\/)?[^/]+_lang\.php$/,
  layouts: [
    {
      style: 'bcp47',
      names: { parse: localeOfEnglishName, spell: (locale) => englishNameOf(locale) },
      directory: { parent: 'language', files: /_lang\.php$/ },
    },
  ],
});
