import { describeFramework } from './description.ts';

export const qt = describeFramework({
  id: 'qt',
  title: 'Qt',
  evidence: [
    { files: ['CMakeLists.txt'], names: ['Qt4', 'Qt5', 'Qt6', 'LinguistTools', 'qt_add_translations'] },
    { files: ['*.pro'], names: ['TRANSLATIONS'] },
  ],
  formats: ['qt'],
  isUsualFor: ['qt'],
  layouts: [{ style: 'underscore', isSure: true, extensions: { ts: 'qt' } }],
  lint: { isCertain: true },
});
