// Edits to packages' code for the bundle. Each fails if the package has changed.

/**
 * Commander can start separate programs for subcommands, which this program does not use. Loading the modules
 * for that takes a tenth of the time of a command that does nothing.
 */
export function spawnLate(code: string): string {
  const early = "const childProcess = require('node:child_process');";
  if (!code.includes(early))
    throw new Error('commander now loads child_process differently: check whether this edit is still needed');
  return code.replace(
    early,
    "const childProcess = { spawn: (...given) => require('node:child_process').spawn(...given) };",
  );
}

/**
 * The imports of `src/` from undici. Dispatchers for proxies, and the methods that they and the users of
 * `EnvHttpProxyAgent` call, are loaded on first use, because most runs have no proxy.
 */
export function usedPartsOf(index: string): string {
  const lines = ['Dispatcher', 'Pool', 'EnvHttpProxyAgent'].map(
    (name) => new RegExp(`^const ${name} = (require\\(.*\\))$`, 'm').exec(index)?.[1],
  );
  const methods = /^Object\.assign\(Dispatcher\.prototype, api\)$/m.exec(index)?.[0];
  if (methods === undefined || lines.includes(undefined)) throw new Error('the index of undici has changed');
  const [dispatcher, pool, proxies] = lines;
  const used = ['request', 'connect'].map((name) => `${name}: require('./lib/api/api-${name}')`);
  return `module.exports = {
    Pool: ${pool},
    get EnvHttpProxyAgent() {
      Object.assign(${dispatcher}.prototype, { ${used.join(', ')} });
      return ${proxies};
    },
  };`;
}

/**
 * After five answers, V8 would optimize undici's parser, a WebAssembly function, for 90 ms of CPU and 40 MB.
 * Afterwards, the setting gets V8's default value again.
 */
export function parseUnoptimized(code: string): string {
  const start = 'llhttpInstance = lazyllhttp()\n';
  if (!code.includes(start)) throw new Error('undici now starts its parser differently');
  const limit = (steps: number): string =>
    `require('node:v8').setFlagsFromString('--wasm-tiering-budget=${steps}');\n`;
  return code.replace(start, `${limit(2_000_000_000)}${start}${limit(1_800_000)}`);
}

/**
 * libsql chooses its native code with two packages and Node's report about the whole process: 11 ms of CPU,
 * more than the rest of its loading. On Linux, the choice depends on the C library of this process. The native
 * code stays in libsql's own package, which is installed for the current system.
 */
export function chooseNative(code: string): string {
  const tools = `const { load, currentTarget } = require("@neon-rs/load");
const { familySync, GLIBC, MUSL } = require("detect-libc");
`;
  const start = 'function requireNative() {\n';
  const target = '  return require(`@libsql/${target}`);\n';
  if (![tools, start, target].every((part) => code.includes(part)))
    throw new Error('libsql now loads its native code differently');
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
 * Every node of xmlbuilder2 gets 18 constants, which its prototype also has. Without them, a document takes
 * half the time.
 */
export function constantsOnPrototype(code: string): string {
  const constants = /^ {4}[A-Z_]+ = \w+;\n/gm;
  const names = [...code.matchAll(/idl_defineConst\)\(NodeImpl\.prototype, "([A-Z_]+)"/g)].map(
    ([, name]) => name,
  );
  const instance = [...code.matchAll(constants)].map(([line]) => line.trim().split(' ')[0]);
  if (instance.length === 0 || instance.join() !== names.join())
    throw new Error(
      'the nodes of xmlbuilder2 have different constants: check whether this edit is still needed',
    );
  return code.replace(constants, '');
}
