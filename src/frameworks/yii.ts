import type { MessageRules } from '../formats/message-rules.ts';
import { describeFramework } from './description.ts';
import { OF_INTL } from './messages.ts';

/** Yii only passes messages with `{name, …` to PHP's intl; in others it replaces `{name}`, even between apostrophes. */
const FOR_INTL = /\{\s*[\w.]+\s*,/;

const rules: MessageRules = {
  ...OF_INTL,
  dialect: 'Yii',
  syntaxOf: (value) => (FOR_INTL.test(value) ? 'icu' : 'plain'),
};

export const yii = describeFramework({
  id: 'yii',
  title: 'Yii',
  evidence: [{ files: ['composer.json'], names: ['yiisoft/yii2', 'yiisoft/yii', 'yiisoft/translator'] }],
  formats: ['yii', 'po'],
  isUsualFor: ['yii'],
  messagesOf: () => rules,
  holders: ['messages'],
  sourceSettings: [
    {
      files: ['main.php', 'web.php', 'common.php', 'console.php', 'base.php', 'i18n.php', 'params.php'],
      within: /(?:^|\/)config$/,
      text: /['"]sourceLanguage['"]\s*=>\s*['"]([\w-]+)['"]/,
    },
  ],
  layouts: [
    // Unlike other frameworks with PHP files, Yii spells languages in directories as in code: `messages/pt-BR/app.php`.
    { style: 'bcp47', paths: /(?:^|\/)messages\/[^/]+\/[^/]+\.php$/ },
  ],
});
