import { describeFramework } from './description.ts';

export const yii = describeFramework({
  id: 'yii',
  title: 'Yii',
  evidence: [{ files: ['composer.json'], names: ['yiisoft/yii2', 'yiisoft/yii', 'yiisoft/translator'] }],
  formats: ['yii', 'po'],
  isUsualFor: ['yii'],
  holders: ['messages'],
  sourceSettings: [
    {
      files: ['main.php', 'web.php', 'common.php', 'console.php', 'base.php', 'i18n.php', 'params.php'],
      within: /(?:^|\/)config$/,
      text: /['"]sourceLanguage['"]\s*=>\s*['"]([\w-]+)['"]/,
    },
  ],
  layouts: [
    // Yii names directories as it names languages, `messages/pt-BR/app.php`, unlike others with PHP files.
    { style: 'bcp47', paths: /(?:^|\/)messages\/[^/]+\/[^/]+\.php$/ },
  ],
});
