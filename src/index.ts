/**
 * The library: the functions behind the commands. Nothing here prints, reads flags or ends the process.
 *
 * Errors are {@link DragomanError}s with a closed set of codes. Times are in milliseconds, sizes in bytes; lines and
 * columns count from 1. The caller that opens something closes it.
 */

// Errors.
export {
  describe,
  DragomanError,
  traitsOf,
  type ErrorCode,
  type ErrorTraits,
  type Location,
} from './base/errors.ts';

// The directories of a user's state and cache, according to the environment.
export { cacheDirectory, stateDirectory } from './base/user-directories.ts';

// A localization file: read and scan it, edit its values, translate it whole.
export { openBytes, openFile, type OpenFile, type OpenOptions } from './documents/localization/open-file.ts';
export { render, type Rendering } from './formats/render.ts';
export type { Document, Key, Slot } from './formats/format.ts';
export {
  translateFile,
  type FailedKey,
  type TranslatedFile,
} from './documents/localization/translate-file.ts';
export type { TargetLocale } from './documents/localization/target.ts';
export { describeFormat, spellInFile } from './formats/registry.ts';
export type { SegmentContext } from './pipeline/unit.ts';

// Subtitles, and e-mail messages.
export {
  openSubtitleBytes,
  openSubtitles,
  type OpenSubtitles,
  type SubtitleOpening,
  translateSubtitleFile,
} from './documents/subtitles/open-subtitles.ts';
export type { SubtitleOptions } from './documents/subtitles/file-translation.ts';
export type {
  SubtitleContext,
  SubtitleFailure,
  TranslatedSubtitles,
} from './documents/subtitles/translate-subtitles.ts';
export type { SubtitleFormat } from './formats/subtitles/names.ts';
export { openEmail, openEmailBytes } from './documents/message/open-email.ts';
export { translateMessage, type TranslatedMessage } from './documents/message/translate-message.ts';
export type { Email } from './formats/email/email.ts';

// A single text: whether a translation is valid for its source.
export { verify, type VerifyOptions } from './text/verify.ts';
export type { MessageProblem } from './text/node.ts';
export type { Syntax } from './text/syntax.ts';

// A page.
export { translateHtml, type HtmlContext, type TranslatedHtml } from './documents/page/translate-page.ts';

// A localization directory.
export { openProjects, type Project, type ProjectOptions } from './project/state/project.ts';
export { syncProject } from './project/sync/sync.ts';
export type { SyncOptions } from './project/sync/sync-run.ts';
export { checkProject, type CheckOptions } from './project/plan/check.ts';
export type { SyncReport } from './project/plan/report.ts';
export { lintProject, type LintOptions } from './project/lint/lint.ts';
export type { Finding } from './project/lint/finding.ts';

// Engines.
export { createEngine, type EngineChain, type EngineName } from './engines/registry.ts';
export type { EngineOptions } from './engines/description.ts';
export type { Engine, EngineOutcome, EngineRequest, EngineStatus, LanguagePair } from './engines/engine.ts';
