import { englishNameOf, localeOfEnglishName } from '../languages/catalog.ts';
import { describeFramework } from './description.ts';
import { messagesIn, OF_INTL } from './messages.ts';

const asIcu = messagesIn(OF_INTL, 'icu', 'plain');

/** `language/german/form_lang.php` in version 3; later `app/Language/de/Form.php`, whose messages ICU reads. */
export const codeigniter = describeFramework({
  id: 'codeigniter',
  title: 'CodeIgniter',
  evidence: [{ files: ['composer.json'], names: ['codeigniter/framework', 'codeigniter4/framework'] }],
  formats: ['php'],
  holds: /_lang\.php$|(?:^|\/)Language\/[^/]+\/(?:.+\/)?[^/]+\.php$/,
  owns: /(?:^|\/)language\/[^/]+\/(?:.+\/)?[^/]+_lang\.php$/,
  sourceSettings: [{ files: ['App.php'], text: /\$defaultLocale\s*=\s*['"]([\w-]+)['"]/ }],
  messagesOf: ({ path }) => (path.endsWith('_lang.php') ? undefined : asIcu()),
  layouts: [
    {
      style: 'bcp47',
      names: { parse: localeOfEnglishName, spell: (locale) => englishNameOf(locale) },
      directory: { parent: 'language', files: /_lang\.php$/ },
    },
  ],
});
