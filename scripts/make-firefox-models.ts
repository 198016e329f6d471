import { makeModelSet, type Manner } from './firefox/model-set.ts';
import { writeCollection } from './firefox/collection.ts';

/**
 * Writes a collection of tiny models with random weights, in the real formats, to try the firefox engine without a
 * network: `tsx scripts/make-firefox-models.ts DIRECTORY en-es es-en …`, then
 * `DRAGOMAN_FIREFOX_RECORDS_URL=file://DIRECTORY/records.json dragoman engines install en-es`.
 */
const [directory, ...pairs] = process.argv.slice(2);
if (directory === undefined || pairs.length === 0) {
  process.stderr.write('usage: make-firefox-models DIRECTORY PAIR[:syllables|hostile|echo]...\n');
  process.exit(2);
}
const members = pairs.map((argument, i) => {
  const [pair = '', manner = 'syllables'] = argument.split(':');
  const [source = '', target = ''] = pair.split('-');
  return { source, target, set: makeModelSet(manner as Manner, i + 1) };
});
const records = writeCollection(directory, members);
process.stdout.write(`${records.length} files of ${members.length} models in ${directory}\n`);
