/** `DEEPL_API_KEY`, `DRAGOMAN_API_KEY`; names are case-insensitive on Windows. */
const KEY_NAME = /_API_KEY$/i;

/**
 * The environment for a child process, without API keys: each key is for one service of this program, and translation
 * programs need none. Keeps other variables, including tokens; a user's program can receive its key under another name.
 */
export function withoutKeys(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !KEY_NAME.test(name)));
}
