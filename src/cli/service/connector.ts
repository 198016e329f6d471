import type { JobService } from '../../service/jobs.ts';
import type { TranslationService } from '../../service/service.ts';
import { DragomanError } from '../../base/errors.ts';

export interface RemoteOptions {
  readonly baseUrl: string;
  readonly key?: string;
  readonly api?: 'v1' | 'v2';
  readonly timeoutMs?: number;
  readonly concurrency?: number;
  readonly caFile?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly onWait?: (reason: string, ms: number) => void;
}

export interface RemoteService {
  readonly service: TranslationService;
  readonly jobs: JobService;
  close(): Promise<void>;
}

export function connectService(_options: RemoteOptions): Promise<RemoteService> {
  return Promise.reject(new DragomanError('internal', 'no client'));
}
