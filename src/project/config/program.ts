import type { DragomanError } from '../../base/errors.ts';
import { runsProgram } from '../../engines/registry.ts';
import { formatPath, isRecord, type ValuePath } from './schema.ts';
import type { ConfigurationFile } from './source.ts';

/**
 * A project's configuration comes with its checkout, so it must not start programs. Looked for before the schema is,
 * whose complaint about a setting that it does not know would not say where the command goes.
 *
 * @throws DragomanError `configuration` at the setting.
 */
export function refusePrograms(file: ConfigurationFile): void {
  if (!isRecord(file.value)) return;
  const { engine, engines } = file.value;
  if (Object.hasOwn(file.value, 'engineCommand')) throw refusal(file, ['engineCommand']);
  if (namesProgram(engine)) throw refusal(file, ['engine']);
  if (!isRecord(engines)) return;
  for (const [pair, list] of Object.entries(engines)) {
    const index = Array.isArray(list) ? list.findIndex(namesProgram) : -1;
    if (index >= 0) throw refusal(file, ['engines', pair, index]);
  }
}

/** An engine may be several with commas between, in a list too. */
function namesProgram(engine: unknown): boolean {
  return typeof engine === 'string' && engine.split(',').some((id) => runsProgram(id.trim()));
}

function refusal(file: ConfigurationFile, path: ValuePath): DragomanError {
  return file.errorAt(
    path,
    `\`${formatPath(path)}\`: the configuration of a project cannot run a program`,
    'Remove it here. Put `engine: exec` and `engineCommand` into your own ~/.config/dragoman/config.yaml, or pass --engine exec --engine-command COMMAND.',
  );
}
