import { parseBaseUrl } from '../../base/http/base-url.ts';
import { DragomanError } from '../../base/errors.ts';

/** The place of files in an S3-compatible object store. */
export interface S3Place {
  /** `s3://bucket/prefix`, for logs and messages. */
  readonly name: string;
  /** The address of the bucket, without a trailing slash. */
  readonly url: string;
  /** The common prefix of all keys; empty, or with a trailing slash. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** Bucket names as AWS allows them, and prefixes that URLs and XML never escape. */
const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9._/-]*))?$/;

/**
 * Reads the option for a bucket, such as `--files`. Keys and endpoint come only from the usual S3 environment
 * variables.
 *
 * @throws DragomanError `usage` for an invalid address, `configuration` for missing variables or an unencrypted
 * endpoint
 */
export function s3PlaceOf(address: string, env: NodeJS.ProcessEnv, option = '--files'): S3Place {
  const [, bucket, path = ''] = ADDRESS.exec(address) ?? [];
  // Dot segments would change the address.
  if (bucket === undefined || path.split('/').some((part) => part === '.' || part === '..')) {
    throw new DragomanError('usage', `${option} does not name a bucket`, {
      hint: 'Use the form s3://bucket or s3://bucket/prefix.',
    });
  }
  const prefix = path
    .split('/')
    .filter((part) => part !== '')
    .join('/');
  const endpoint = env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || undefined;
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || (endpoint && 'us-east-1') || undefined;
  const [accessKeyId, secretAccessKey] = [env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY']];
  if (!accessKeyId || !secretAccessKey || region === undefined) {
    throw new DragomanError('configuration', 'the variables for S3 are incomplete', {
      hint: 'Set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION; AWS_ENDPOINT_URL_S3 for stores other than AWS.',
    });
  }
  return {
    name: prefix === '' ? `s3://${bucket}` : `s3://${bucket}/${prefix}`,
    url: endpoint === undefined ? awsUrl(bucket, region) : `${checked(endpoint)}/${bucket}`,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region,
    accessKeyId,
    secretAccessKey,
    sessionToken: env['AWS_SESSION_TOKEN'] || undefined,
  };
}

/** A name with a dot does not match the certificate. */
function awsUrl(bucket: string, region: string): string {
  return bucket.includes('.')
    ? `https://s3.${region}.amazonaws.com/${bucket}`
    : `https://${bucket}.s3.${region}.amazonaws.com`;
}

function checked(endpoint: string): string {
  const { origin, prefix, secure, loopback, host } = parseBaseUrl(endpoint);
  if (secure || loopback) return origin + prefix;
  throw new DragomanError('configuration', `files are not sent to ${host} without encryption`, {
    hint: 'Use an https address in AWS_ENDPOINT_URL_S3; http is for stores on this machine.',
  });
}
