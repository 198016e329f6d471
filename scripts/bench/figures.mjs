// Loaded into a program before anything else: writes down, at its end, what it cost.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { readFileSync, writeFileSync } = fs;
let opens = 0;
for (const owner of [fs, fs.promises]) {
  for (const name of ['open', 'openSync', 'readFile', 'readFileSync']) {
    const original = owner[name];
    if (typeof original !== 'function') continue;
    owner[name] = function counted(...given) {
      opens++;
      return original.apply(this, given);
    };
  }
}
syncBuiltinESMExports();
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const figures = { cpu: (user + system) / 1000, megabytes: peakMegabytes(), opens };
  writeFileSync(process.env.FIGURES, JSON.stringify(figures));
});

/** On Linux `maxRSS` begins with the peak of the process that started this one: a large bench would show itself. */
function peakMegabytes() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024;
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'));
  return Number(kilobytes) / 1024;
}
