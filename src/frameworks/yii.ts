import { describeFramework } from './description.ts';

export const yii = describeFramework({
  id: 'yii',
  title: 'Yii',
  evidence: [{ files: ['composer.json'], names: ['yiisoft/yii2', 'yiisoft/yii', 'yiisoft/translator'] }],
  formats: ['yii', 'po'],
  isUsualFor: ['yii'],
});
