import { describeFramework } from './description.ts';

export const dotnet = describeFramework({
  id: 'dotnet',
  title: '.NET',
  evidence: [{ files: ['*.csproj', '*.vbproj', '*.fsproj', '*.sln', '*.slnx'] }],
  formats: ['xml', 'xliff'],
  holds: /\.(?:resx|resw|xlf)$/,
  owns: /\.res[xw]$/,
});
