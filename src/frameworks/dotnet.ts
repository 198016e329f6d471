import { describeFramework } from './description.ts';
import { directoryOf } from './layout.ts';

export const dotnet = describeFramework({
  id: 'dotnet',
  title: '.NET',
  evidence: [{ files: ['*.csproj', '*.vbproj', '*.fsproj', '*.sln', '*.slnx'] }],
  formats: ['xml', 'xliff'],
  holds: /\.(?:resx|resw|xlf)$/,
  owns: /\.res[xw]$/,
  layouts: [
    {
      style: 'bcp47',
      isStrict: true,
      extensions: { resx: 'xml', resw: 'xml' },
      base(path, { hasFiles, namesLanguage }) {
        if (!path.endsWith('.resx')) return undefined;
        const stem = path.slice(0, -'.resx'.length);
        const name = stem.slice(directoryOf(path).length);
        // Visual Studio's tools make `xlf/Res.de.xlf` of it, from which the build makes the translations.
        if (hasFiles([`${directoryOf(path)}xlf/${name}.`, '.xlf'])) return undefined;
        return stem === '' || namesLanguage(path.slice(directoryOf(path).length))
          ? undefined
          : [`${stem}.`, '.resx'];
      },
    },
  ],
});
