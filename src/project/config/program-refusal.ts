import { isObject } from '../../base/json.ts';
import type { DragomanError } from '../../base/errors.ts';
import { runsProgram } from '../../engines/registry.ts';
import { type ConfigurationFile, formatPath, type ValuePath } from './schema.ts';

/**
 * Refuses commands in a project's configuration, which comes with a checkout and must not start programs. Checked
 * before the schema, because "unknown setting" would not explain where the command belongs.
 *
 * @throws DragomanError `configuration` at the setting
 */
export function refusePrograms(file: ConfigurationFile): void {
  if (!isObject(file.value)) return;
  const { engine, engines } = file.value;
  if (Object.hasOwn(file.value, 'formats')) throw refusal(file, ['formats'], FORMATS_HINT);
  if (Object.hasOwn(file.value, 'engineCommand')) throw refusal(file, ['engineCommand']);
  if (namesProgram(engine)) throw refusal(file, ['engine']);
  if (!isObject(engines)) return;
  for (const [pair, list] of Object.entries(engines)) {
    const index = Array.isArray(list) ? list.findIndex(namesProgram) : -1;
    if (index >= 0) throw refusal(file, ['engines', pair, index]);
  }
}

/** An engine setting may list several engines, separated by commas. */
function namesProgram(engine: unknown): boolean {
  return typeof engine === 'string' && engine.split(',').some((id) => runsProgram(id.trim()));
}

const ENGINE_HINT =
  'Remove it here. Put `engine: exec` and `engineCommand` into your own ~/.config/dragoman/config.yaml, or pass --engine exec --engine-command COMMAND.';
const FORMATS_HINT =
  'Remove it here. Put `formats` into your own ~/.config/dragoman/config.yaml, or pass --format-command NAME=COMMAND.';

function refusal(file: ConfigurationFile, path: ValuePath, hint = ENGINE_HINT): DragomanError {
  return file.errorAt(
    path,
    `\`${formatPath(path)}\`: the configuration of a project cannot run a program`,
    hint,
  );
}
