import { withoutComments } from './comments.ts';
import { describeFramework } from './description.ts';
import { type BaseContent, directoryOf } from './layout.ts';

export const dotnet = describeFramework({
  id: 'dotnet',
  title: '.NET',
  evidence: [{ files: ['*.csproj', '*.vbproj', '*.fsproj', '*.sln', '*.slnx'] }],
  formats: ['xml', 'xliff'],
  holds: /\.(?:resx|resw|xlf)$/,
  owns: /\.res[xw]$/,
  sourceSettings: [{ files: ['*.csproj', '*.props'], text: /<NeutralLanguage>\s*([\w-]+)\s*</ }],
  layouts: [
    {
      style: 'bcp47',
      isStrict: true,
      extensions: { resx: 'xml', resw: 'xml' },
      base(path, { hasFiles, namesLanguage }) {
        if (!path.endsWith('.resx')) return undefined;
        const stem = path.slice(0, -'.resx'.length);
        const name = stem.slice(directoryOf(path).length);
        // Visual Studio's tools create `xlf/Res.de.xlf` for such a file; the build creates the translations from it.
        if (hasFiles([`${directoryOf(path)}xlf/${name}.`, '.xlf'])) return undefined;
        return stem === '' || namesLanguage(path.slice(directoryOf(path).length))
          ? undefined
          : [`${stem}.`, '.resx'];
      },
      textlessReason: (file) => (file.languages > 0 || hasTexts(file) ? undefined : 'without_strings'),
    },
  ],
});

/** Entries of a .resx file without a type: typed ones hold images, sizes and similar data. */
const ENTRY =
  /<data\s+name\s*=\s*"(?!&gt;&gt;|>>)[^"<]*"(?:\s+xml:space\s*=\s*"[^"<]*")?\s*>\s*<value>([^<]+)</g;

/** A single token that is not a word: a path, an address, a code. */
const CODE = /^(?!\p{L}[\p{L}'’-]*[.!?:…]*$)\S+$/u;

/** Whether a file without translations has texts: files of the form designer often have none, or only codes. */
function hasTexts({ path, read }: BaseContent): boolean {
  const head = path.endsWith('.resx') ? read() : undefined;
  if (!head?.isWhole || !head.text.includes('<root')) return true;
  // Visual Studio explains the format in a comment, with examples.
  const values = [...withoutComments(head.text).matchAll(ENTRY)].map(([, value = '']) => value.trim());
  const codes = values.filter((value) => value === '' || CODE.test(value)).length;
  return values.length > 0 && codes * 2 <= values.length;
}
