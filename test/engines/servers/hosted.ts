import type { Clock } from '../../../src/base/clock.ts';
import { createDeepLEngine } from '../../../src/engines/deepl/deepl.ts';
import type { Engine } from '../../../src/engines/engine.ts';
import { createGoogleEngine } from '../../../src/engines/google/google.ts';
import { createLibreTranslateEngine } from '../../../src/engines/libretranslate/libretranslate.ts';
import { createOpenAIEngine } from '../../../src/engines/openai/openai.ts';
import { DEEPL_KEY, startDeepL } from './deepl.ts';
import { GOOGLE_KEY, refuse, startGoogle } from './google.ts';
import { LIBRETRANSLATE_KEY, startLibreTranslate } from './libretranslate.ts';
import { OPENAI_KEY, startOpenAI } from './openai.ts';
import type { VendorAnswer, VendorServer } from './vendor-server.ts';

export interface HostedOptions {
  readonly timeoutMs?: number;
  readonly clock?: Clock;
}

/** An engine and a server that speaks its protocol. */
export interface Hosted {
  readonly name: string;
  readonly key: string;
  readonly variables: { readonly key: string; readonly url: string };
  /** The server's answer when credits have run out. */
  readonly spent: VendorAnswer;
  start(): Promise<VendorServer>;
  /** The path of the base address. */
  readonly path: string;
  create(env: Record<string, string>, options?: HostedOptions): Engine;
}

export const HOSTED: readonly Hosted[] = [
  {
    name: 'deepl',
    key: DEEPL_KEY,
    variables: { key: 'DEEPL_API_KEY', url: 'DEEPL_BASE_URL' },
    spent: { status: 456, body: { message: 'Quota Exceeded' } },
    start: startDeepL,
    path: '',
    create: (env, options) => createDeepLEngine({ env, ...options }),
  },
  {
    name: 'google',
    key: GOOGLE_KEY,
    variables: { key: 'GOOGLE_API_KEY', url: 'GOOGLE_BASE_URL' },
    spent: refuse(403, 'dailyLimitExceeded', 'Daily Limit Exceeded'),
    start: startGoogle,
    path: '',
    create: (env, options) => createGoogleEngine({ env, ...options }),
  },
  {
    name: 'libretranslate',
    key: LIBRETRANSLATE_KEY,
    variables: { key: 'LIBRETRANSLATE_API_KEY', url: 'LIBRETRANSLATE_BASE_URL' },
    spent: { status: 402, body: { error: 'Payment required' } },
    start: startLibreTranslate,
    path: '',
    create: (env, options) => createLibreTranslateEngine({ env, ...options }),
  },
  {
    name: 'openai',
    key: OPENAI_KEY,
    variables: { key: 'OPENAI_API_KEY', url: 'OPENAI_BASE_URL' },
    spent: {
      status: 429,
      body: { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } },
    },
    start: () => startOpenAI(),
    path: '/v1',
    create: (env, options) => createOpenAIEngine({ model: 'model', env, ...options }),
  },
];

export function connect(hosted: Hosted, server: VendorServer, options?: HostedOptions): Engine {
  const env = { [hosted.variables.key]: hosted.key, [hosted.variables.url]: server.url + hosted.path };
  return hosted.create(env, options);
}
