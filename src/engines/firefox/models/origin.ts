import { DragomanError } from '../../../base/errors.ts';
import { addressOf, fetchText, type Net, resolveBelow } from './net.ts';
import { readRecords, type RemoteModel } from './records.ts';

export interface ModelOrigin {
  /** URL of the records. Default: Mozilla's. `https:`, `file:`, or `http:` on this machine. */
  readonly recordsUrl?: string | undefined;
  /**
   * Base URL of the files. Default: the one that the records' server announces, or the directory of the records' file.
   */
  readonly attachmentsUrl?: string | undefined;
}

/** The models that can be installed, and their origin. */
export interface Offer {
  readonly models: readonly RemoteModel[];
  /** The URL of a file, from the location in its record. */
  urlOf(location: string): URL;
}

const MOZILLA =
  'https://firefox.settings.services.mozilla.com/v1/buckets/main/collections/translations-models-v2/records';
/** All records together take a few hundred kilobytes. */
const MAX_RECORDS_BYTES = 16 * 1024 * 1024;

/** @throws DragomanError `configuration` for an address that is not allowed, and errors of the request */
export async function fetchOffer(origin: ModelOrigin, net: Net): Promise<Offer> {
  const records = addressOf(origin.recordsUrl ?? MOZILLA, 'DRAGOMAN_FIREFOX_RECORDS_URL');
  const body = await fetchText(records, MAX_RECORDS_BYTES, net);
  const base =
    origin.attachmentsUrl === undefined
      ? await findBase(records, net)
      : addressOf(origin.attachmentsUrl, 'DRAGOMAN_FIREFOX_ATTACHMENTS_URL');
  return { models: readRecords(body), urlOf: (location) => resolveBelow(base, location) };
}

/** A Remote Settings server announces the attachments' address at its root; otherwise they are beside the records. */
async function findBase(records: URL, net: Net): Promise<URL> {
  const root = /^(.*\/v1\/)buckets\//.exec(records.href)?.[1];
  if (root === undefined || records.protocol === 'file:') return new URL('.', records);
  const body = await fetchText(new URL(root), MAX_RECORDS_BYTES, net);
  const url = /"base_url"\s*:\s*"([^"\\]+)"/.exec(body)?.[1];
  if (url !== undefined) return addressOf(url, 'the "base_url" of the server');
  throw new DragomanError('contract_violation', `${root} does not name the location of the model files`, {
    hint: 'Set DRAGOMAN_FIREFOX_ATTACHMENTS_URL.',
  });
}
