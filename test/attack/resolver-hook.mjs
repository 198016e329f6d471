import { appendFileSync } from 'node:fs';
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/**
 * Loaded into a process before its program: name lookups get the answers in ATTACK_ANSWERS, `{"name": [[address, …],
 * …]}`, one list for each lookup; the last list also answers all further lookups. Connections are logged to ATTACK_LOG,
 * and only those to loopback are made.
 */
const answers = JSON.parse(process.env.ATTACK_ANSWERS ?? '{}');
const asked = new Map();
const note = (line) => appendFileSync(process.env.ATTACK_LOG, `${line}\n`);

dns.lookup = async (name) => {
  const lists = answers[name] ?? [];
  const count = asked.get(name) ?? 0;
  asked.set(name, count + 1);
  const addresses = lists[Math.min(count, lists.length - 1)] ?? [];
  note(`ask ${name} ${addresses.join(' ')}`);
  if (addresses.length === 0) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  return addresses.map((address) => ({ address, family: net.isIP(address) }));
};
syncBuiltinESMExports();

// oxlint-disable-next-line typescript/unbound-method -- called with its socket below
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  const [first] = args;
  const { host, lookup } = (Array.isArray(first) ? first[0] : first) ?? {};
  if (typeof host !== 'string' || lookup === undefined) return connect.apply(this, args);
  lookup(host, { all: true }, (error, list) => {
    const addresses = error || !Array.isArray(list) ? [] : list.map(({ address }) => address);
    note(`connect ${addresses.join(' ')}`);
    if (addresses.length > 0 && addresses.every((address) => address.startsWith('127.')))
      connect.apply(this, args);
    else
      process.nextTick(() => this.destroy(Object.assign(new Error('not reached'), { code: 'EHOSTUNREACH' })));
  });
  return this;
};
