/**
 * The variables that a program needs to find its parts, its language and its temporary files. Windows does not tell cases
 * apart, and needs the last ones to start anything.
 */
const NEEDED = new Set(
  (
    'PATH APERTIUM_DATADIR HOME USER LOGNAME LANG LANGUAGE TZ TMPDIR TMP TEMP LD_LIBRARY_PATH DYLD_LIBRARY_PATH ' +
    'NODE_OPTIONS NODE_V8_COVERAGE SYSTEMROOT WINDIR COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA'
  ).split(' '),
);
const LOCALE = /^LC_\w+$/i;

/**
 * The environment of a child process that is this program's own choice: a worker, which reads files of strangers, or an
 * engine that is installed on the machine. Nothing else of this process's variables is there: some hold passwords of
 * databases, keys and secrets, under names that nobody can list. Programs that the user has named get `withoutKeys`.
 */
export function neededEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => NEEDED.has(name.toUpperCase()) || LOCALE.test(name)),
  );
}
