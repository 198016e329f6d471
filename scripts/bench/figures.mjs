// Loaded into a program before anything else; when the program exits, writes its time and memory to a file.
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

/** On Linux, `maxRSS` starts at the peak of the parent process, so the size of the benchmark would distort it. */
function peakMegabytes() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1024;
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'));
  return Number(kilobytes) / 1024;
}
