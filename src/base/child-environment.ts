/** `DEEPL_API_KEY`, `DRAGOMAN_API_KEY`; Windows does not tell cases apart. */
const KEY_NAME = /_API_KEY$/i;

/**
 * The environment for a child process, without API keys: each belongs to one service that this program talks to, and a
 * program that translates needs none of them. Other variables stay, tokens among them: what a user's own program needs
 * can be given to it under any other name.
 */
export function withoutKeys(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !KEY_NAME.test(name)));
}
