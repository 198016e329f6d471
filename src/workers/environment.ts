/**
 * The variables that a program needs to find its files, language and temporary directory. Names are case-insensitive on
 * Windows, which needs the last ones to start any program.
 */
const NEEDED = new Set(
  (
    'PATH APERTIUM_DATADIR HOME USER LOGNAME LANG LANGUAGE TZ TMPDIR TMP TEMP LD_LIBRARY_PATH DYLD_LIBRARY_PATH ' +
    'NODE_OPTIONS NODE_V8_COVERAGE NODE_COMPILE_CACHE NODE_DISABLE_COMPILE_CACHE ' +
    'SYSTEMROOT WINDIR COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA'
  ).split(' '),
);
const LOCALE = /^LC_\w+$/i;

/**
 * The environment for a child process that this program chooses: a worker, which reads untrusted files, or an installed
 * engine. It has only the needed variables, because passwords, keys and secrets may have any name. Programs that the
 * user names get `withoutKeys`.
 */
export function neededEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => NEEDED.has(name.toUpperCase()) || LOCALE.test(name)),
  );
}
