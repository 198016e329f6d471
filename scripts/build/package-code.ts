// Edits of packages' code for the bundle. Each fails if the package has changed.

/**
 * Commander starts programs for subcommands that are programs of their own, which this program has none of: loading what
 * it starts them with is a tenth of the time in which a command that does nothing is over.
 */
export function spawnLate(code: string): string {
  const early = "const childProcess = require('node:child_process');";
  if (!code.includes(early))
    throw new Error('commander loads child_process in another way: see whether this is needed');
  return code.replace(
    early,
    "const childProcess = { spawn: (...given) => require('node:child_process').spawn(...given) };",
  );
}

/**
 * The lines of undici's index that define what `src/` imports, and give dispatchers their methods: `request`, and `connect`
 * with which they go through a proxy.
 */
export function usedPartsOf(index: string): string {
  const names = ['Dispatcher', 'Pool', 'EnvHttpProxyAgent'];
  const lines = names.map((name) => new RegExp(`^const ${name} = require\\(.*$`, 'm').exec(index)?.[0]);
  const methods = /^Object\.assign\(Dispatcher\.prototype, api\)$/m.exec(index)?.[0];
  if (methods === undefined || lines.includes(undefined)) throw new Error('undici has another index');
  const used = ['request', 'connect'].map((name) => `${name}: require('./lib/api/api-${name}')`);
  return [
    ...lines,
    `const api = { ${used.join(', ')} };`,
    methods,
    `module.exports = { ${names.join(', ')} };`,
  ].join('\n');
}

/**
 * After five answers V8 would optimise the parser of undici, one function of WebAssembly, for 90 ms of CPU and 40 MB. The
 * number that V8 then gets back is its own default.
 */
export function parseUnoptimized(code: string): string {
  const start = 'llhttpInstance = lazyllhttp()\n';
  if (!code.includes(start)) throw new Error('undici starts its parser in another way');
  const limit = (steps: number): string =>
    `require('node:v8').setFlagsFromString('--wasm-tiering-budget=${steps}');\n`;
  return code.replace(start, `${limit(2_000_000_000)}${start}${limit(1_800_000)}`);
}

/**
 * libsql chooses its native code with two packages and with Node's report about the whole process: 11 ms of CPU, more
 * than the rest of loading it. On Linux, the C library that this process has loaded decides. The native code stays in a
 * package of libsql's, which is installed for the system it is for.
 */
export function chooseNative(code: string): string {
  const tools = `const { load, currentTarget } = require("@neon-rs/load");
const { familySync, GLIBC, MUSL } = require("detect-libc");
`;
  const start = 'function requireNative() {\n';
  const target = '  return require(`@libsql/${target}`);\n';
  if (![tools, start, target].every((part) => code.includes(part)))
    throw new Error('libsql loads its native code in another way');
  const loaded = `const { createRequire } = require('node:module');
const requireOfLibsql = createRequire(createRequire(import.meta.url).resolve('libsql'));
function loadedLibrary() {
  if (process.platform !== 'linux' || !/^(?:x64|arm64)$/.test(process.arch)) return undefined;
  try {
    const files = require('node:fs').readFileSync('/proc/self/maps', 'latin1');
    return files.includes('/ld-musl-') ? 'musl' : files.includes('/libc.so.6') ? 'gnu' : undefined;
  } catch {
    return undefined;
  }
}
`;
  const quick = `  const library = loadedLibrary();
  if (library) return requireOfLibsql(\`@libsql/linux-\${process.arch}-\${library}\`);
`;
  return code
    .replace(tools, () => loaded)
    .replace(start, () => start + quick + tools.replaceAll('require(', 'requireOfLibsql('))
    .replace(target, () => target.replace('require(', 'requireOfLibsql('));
}

/**
 * Every node of xmlbuilder2 gets 18 constants, which its prototype has too. Without them, a document takes half of the
 * time.
 */
export function constantsOnPrototype(code: string): string {
  const constants = /^ {4}[A-Z_]+ = \w+;\n/gm;
  const names = [...code.matchAll(/idl_defineConst\)\(NodeImpl\.prototype, "([A-Z_]+)"/g)].map(
    ([, name]) => name,
  );
  const instance = [...code.matchAll(constants)].map(([line]) => line.trim().split(' ')[0]);
  if (instance.length === 0 || instance.join() !== names.join())
    throw new Error('the nodes of xmlbuilder2 have other constants: see whether this is needed');
  return code.replace(constants, '');
}
