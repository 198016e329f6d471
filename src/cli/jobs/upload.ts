import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { DragomanError } from '../../base/errors.ts';
import { reasonOf } from '../../base/system-error.ts';
import { FILE_TYPES, type CreateJobRequest } from '../../contract/jobs.ts';
import { MAX_FILE_BYTES, MAX_TARGET_LANGUAGES } from '../../contract/limits.ts';
import type { JobUpload } from '../../service/jobs.ts';

/**
 * A file that a job may be created for: what a service would refuse is refused before it is sent.
 *
 * @throws DragomanError `usage`, `unreadable_input`, `limit_exceeded`
 */
export async function prepareUpload(path: string): Promise<JobUpload> {
  if (!Object.hasOwn(FILE_TYPES, extname(path).toLowerCase())) {
    throw new DragomanError('usage', `no format for ${path}`, {
      hint: `Jobs take ${Object.keys(FILE_TYPES).join(', ')}.`,
    });
  }
  const info = await stat(path).catch((error: unknown) => {
    throw new DragomanError('unreadable_input', `cannot read ${path}: ${reasonOf(error)}`, { cause: error });
  });
  if (!info.isFile())
    throw new DragomanError('unreadable_input', `cannot read ${path}: it is no regular file`);
  if (info.size > MAX_FILE_BYTES) {
    throw new DragomanError(
      'limit_exceeded',
      `${path} has ${info.size.toLocaleString('en')} bytes, and a job takes ${MAX_FILE_BYTES.toLocaleString('en')}`,
      {
        hint: 'Translate it here with --engine, or split it.',
      },
    );
  }
  return { filename: basename(path), path };
}

export interface JobWishes {
  readonly source: string | undefined;
  readonly targets: readonly string[];
  readonly webhookUrl?: string | undefined;
}

/** @throws DragomanError `usage` */
export function createRequest({ source, targets, webhookUrl }: JobWishes): CreateJobRequest {
  if (targets.length > MAX_TARGET_LANGUAGES) {
    throw new DragomanError('usage', `more than ${MAX_TARGET_LANGUAGES} target languages`);
  }
  if (webhookUrl !== undefined && !(URL.canParse(webhookUrl) && new URL(webhookUrl).protocol === 'https:')) {
    throw new DragomanError('usage', '--webhook-url must be an https URL');
  }
  return {
    source_language: source ?? 'auto',
    target_languages: targets.join(','),
    ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
  };
}
