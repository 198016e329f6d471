import type { DragomanError } from '../../base/errors.ts';
import type { OpenFile } from '../../documents/localization/open-file.ts';
import type { LinkTags } from '../../documents/markdown/links.ts';
import type { Document } from '../../formats/format.ts';
import type { Resource } from '../discover/resource.ts';
import type { CleanFindings } from '../state/clean-state.ts';
import type { LockRecord } from '../state/lock-line.ts';
import type { FollowedTarget } from './follow-source.ts';
import type { FilePlan, Records, SourceKeys } from './plan.ts';
import type { Note } from './report.ts';

/** One file in one language, opened and compared. */
export interface Survey {
  readonly resource: Resource;
  readonly locale: string;
  /** The file that is translated, relative to the root. */
  readonly sourcePath: string;
  /** Relative to the root. */
  readonly targetPath: string;
  /** The file under which the lock has its records. */
  readonly recordedAs: string;
  readonly records: Records;
  readonly source: OpenFile;
  readonly skeleton: Document;
  /** Undefined: the target does not exist. */
  readonly existing: OpenFile | undefined;
  readonly bytes: Uint8Array | undefined;
  /** `existing` is the file brought into the structure of its source, not as `bytes` have it. */
  readonly isFollowed: boolean;
  /** Of running text: see `FollowedTarget`. */
  readonly kept?: ReadonlyMap<number, LockRecord> | undefined;
  readonly notes?: readonly Note[] | undefined;
  readonly unmatched?: FollowedTarget['unmatched'];
  /** Of running text whose links follow. */
  readonly tags?: LinkTags | undefined;
  readonly expected: SourceKeys;
  readonly plan: FilePlan;
}

/** The state of a file in one language. */
export type TargetComparison =
  | { readonly kind: 'compared'; readonly survey: Survey }
  /** As an earlier run left it: there is nothing to do, and it was not opened. */
  | { readonly kind: 'clean'; readonly counts: CleanFindings }
  /** The target is there and cannot be used, or its source cannot be read. */
  | {
      readonly kind: 'unreadable';
      readonly error: DragomanError;
      readonly ofSource?: boolean;
      /** It has other texts than its source and the lock: the number of those that the source has. */
      readonly foreign?: number | undefined;
    };
