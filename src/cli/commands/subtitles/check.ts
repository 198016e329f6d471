import { findingName } from '../../../project/lint/lint.ts';
import { lintSubtitles } from '../../../project/lint/lint-subtitles.ts';
import type { CommandContext } from '../../output/command.ts';
import { CHECK_FAILED, type ExitCode, OK } from '../../output/exit-code.ts';
import { countFindings, findingDocument, printFinding } from '../../output/findings.ts';
import { type Opened, unreadableDocuments } from '../../documents/open-each.ts';
import type { SubtitleFile } from '../../documents/subtitle-file.ts';
import type { SubtitleFlags } from './flags.ts';

/** Ends `--check`. */
export function reportSubtitles(
  { files, unreadable }: Opened<SubtitleFile>,
  { maxCps, maxLine, maxLines }: SubtitleFlags,
  { terminal, output }: CommandContext,
): ExitCode {
  const findings = files.flatMap(({ document, name, path }) =>
    lintSubtitles(document, path === undefined ? name : findingName(terminal.cwd, path), {
      maxCps,
      maxLine,
      maxLines,
    }),
  );
  const document = { findings: findingDocument(findings), unreadable: unreadableDocuments(unreadable) };
  output.answer(document, () => {
    for (const finding of findings) printFinding(finding, output);
    if (findings.length > 0) output.message(countFindings(findings));
    else if (unreadable.length === 0) output.success('no findings');
  });
  return findings.length + unreadable.length > 0 ? CHECK_FAILED : OK;
}
