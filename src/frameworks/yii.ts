import { describeFramework } from './description.ts';

export const yii = describeFramework({
  id: 'yii',
  title: 'Yii',
  evidence: [{ files: ['composer.json'], names: ['yiisoft/yii2', 'yiisoft/yii', 'yiisoft/translator'] }],
  formats: ['yii', 'po'],
  isUsualFor: ['yii'],
  holders: ['messages'],
  layouts: [
    // Yii names directories as it names languages, `messages/pt-BR/app.php`, unlike others with PHP files.
    { style: 'bcp47', paths: /(?:^|\/)messages\/[^/]+\/[^/]+\.php$/ },
  ],
});
