// Loaded into a program before anything else: writes down, at its end, which paths it looked at.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';

const { writeFileSync } = fs;
const LOOKS = ['open', 'readFile', 'stat', 'lstat', 'access', 'readdir', 'realpath', 'readlink', 'opendir'];
const looked = [];
for (const owner of [fs, fs.promises]) {
  for (const name of [...LOOKS, ...LOOKS.map((look) => `${look}Sync`), 'existsSync']) {
    const original = owner[name];
    if (typeof original !== 'function') continue;
    const log = function (path, ...rest) {
      if (typeof path === 'string') looked.push(resolve(path));
      return original.call(this, path, ...rest);
    };
    owner[name] = Object.assign(log, original);
    const { native } = original;
    if (typeof native !== 'function') continue;
    owner[name].native = function (path, ...rest) {
      looked.push(resolve(path));
      return native.call(this, path, ...rest);
    };
  }
}
syncBuiltinESMExports();
process.on('exit', () => writeFileSync(process.env.LOOKED_AT, JSON.stringify(looked)));
