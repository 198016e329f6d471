import { isAbsolute, relative, resolve, sep } from 'node:path';
import { describe, type DragomanError } from '../../base/errors.ts';
import { isInside } from '../../base/inside.ts';
import { breakWorkflowCommands } from '../../base/workflow-command.ts';
import { oneLine, type Terminal } from '../terminal/terminal.ts';

/** An annotation that GitHub shows at a line of a pull request. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  /** Absolute; undefined without a file. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly title: string;
  readonly message: string;
}

/** GitHub shows ten per step, and the log lists all findings anyway. */
const MAX_ANNOTATIONS = 50;

/** Writes annotations to standard error, which the runner reads too: standard output belongs to the result. */
export function annotate(annotations: readonly Annotation[], terminal: Terminal): void {
  const { runner } = terminal;
  if (!runner?.annotates) return;
  const shown = annotations.slice(0, MAX_ANNOTATIONS);
  for (const { file, ...annotation } of shown)
    runner.command(annotationCommand({ ...annotation, file: file && workspacePath(file, terminal) }));
  const more = annotations.length - shown.length;
  if (more > 0) runner.command(`::notice::and ${more} more of dragoman's findings`);
}

/** The annotation of an error that ends the command. */
export function errorAnnotation(error: DragomanError): Annotation {
  const { at, hint, code } = error;
  const isPlaced = at?.file !== undefined && isAbsolute(at.file);
  const message = isPlaced ? error.message : describe(error);
  return {
    level: 'error',
    ...(isPlaced && { file: at.file, line: at.line, column: at.column }),
    title: code,
    message: hint === undefined ? message : `${message}\n${hint}`,
  };
}

/** Formats a workflow command: `::error file=app.json,line=1,col=5,title=rule::message`. */
export function annotationCommand({ level, file, line, column, title, message }: Annotation): string {
  const list = Object.entries({ file, line, col: column, title }).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`${name}=${escapeData(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`],
  );
  return `::${level} ${list.join(',')}::${escapeData(message)}`;
}

/** GitHub identifies files by their path in the repository. */
export function workspacePath(file: string, { env, cwd }: Terminal): string {
  const workspace = env['GITHUB_WORKSPACE'];
  const root = workspace !== undefined && isInside(resolve(workspace), file) ? resolve(workspace) : cwd;
  return isInside(root, file) ? relative(root, file).split(sep).join('/') : file;
}

function escapeData(text: string): string {
  const escaped = text.replaceAll('%', '%25').replaceAll('\r', '%0D').split('\n').map(oneLine).join('%0A');
  return breakWorkflowCommands(escaped);
}
