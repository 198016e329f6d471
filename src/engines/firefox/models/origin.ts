import { DragomanError } from '../../../base/errors.ts';
import { addressOf, fetchText, type Net, resolveBelow } from './net.ts';
import { readRecords, type RemoteModel } from './records.ts';

/** Where models come from. */
export interface ModelOrigin {
  /** Of the records; default: Mozilla's. `https:`, `file:`, or `http:` on this machine. */
  readonly recordsUrl?: string | undefined;
  /** Below which the files are; default: what the server of the records says, or the directory of the records' file. */
  readonly attachmentsUrl?: string | undefined;
}

/** What can be installed, and from where. */
export interface Offer {
  /** As they came: the routing of fxtranslate reads them. */
  readonly body: string;
  readonly models: readonly RemoteModel[];
  /** The address of a file, from the location that its record has. */
  urlOf(location: string): URL;
}

const MOZILLA =
  'https://firefox.settings.services.mozilla.com/v1/buckets/main/collections/translations-models-v2/records';
/** All records together are some hundred kilobytes. */
const MAX_RECORDS_BYTES = 16 * 1024 * 1024;

/** @throws DragomanError `configuration` for an address that is not allowed, and of the request. */
export async function fetchOffer(origin: ModelOrigin, net: Net): Promise<Offer> {
  const records = addressOf(origin.recordsUrl ?? MOZILLA, 'DRAGOMAN_FIREFOX_RECORDS_URL');
  const body = await fetchText(records, MAX_RECORDS_BYTES, net);
  const base =
    origin.attachmentsUrl === undefined
      ? await findBase(records, net)
      : addressOf(origin.attachmentsUrl, 'DRAGOMAN_FIREFOX_ATTACHMENTS_URL');
  return { body, models: readRecords(body), urlOf: (location) => resolveBelow(base, location) };
}

/** A server of Remote Settings says at its root where the attachments are; elsewhere they are beside the records. */
async function findBase(records: URL, net: Net): Promise<URL> {
  const root = /^(.*\/v1\/)buckets\//.exec(records.href)?.[1];
  if (root === undefined || records.protocol === 'file:') return new URL('.', records);
  const body = await fetchText(new URL(root), MAX_RECORDS_BYTES, net);
  const url = /"base_url"\s*:\s*"([^"\\]+)"/.exec(body)?.[1];
  if (url !== undefined) return addressOf(url, 'the "base_url" of the server');
  throw new DragomanError('contract_violation', `${root} does not say where the files of the models are`, {
    hint: 'Say it with DRAGOMAN_FIREFOX_ATTACHMENTS_URL.',
  });
}
