import type { DragomanError } from '../../base/errors.ts';
import type { OpenFile } from '../../documents/localization/open-file.ts';
import type { LinkTags } from '../../documents/markdown/links.ts';
import type { Document } from '../../formats/format.ts';
import type { Resource } from '../discover/resource.ts';
import type { CleanFindings } from '../state/clean-state.ts';
import type { LockRecord } from '../state/lock-line.ts';
import type { FollowedTarget } from './follow-source.ts';
import type { FilePlan, Records } from './plan.ts';
import type { Note } from './report.ts';
import type { SourceKeys } from './source-keys.ts';

/** A file in one language, opened and compared. */
export interface Survey {
  readonly resource: Resource;
  readonly locale: string;
  /** The source file, relative to the root. */
  readonly sourcePath: string;
  /** Relative to the root. */
  readonly targetPath: string;
  /** The file name under which the lock records it. */
  readonly recordedAs: string;
  readonly records: Records;
  readonly source: OpenFile;
  readonly skeleton: Document;
  /** Undefined if the target does not exist. */
  readonly existing: OpenFile | undefined;
  readonly bytes: Uint8Array | undefined;
  /** Whether `existing` was restructured after its source, and therefore differs from `bytes`. */
  readonly isFollowed: boolean;
  /** For running text: see `FollowedTarget`. */
  readonly kept?: ReadonlyMap<number, LockRecord> | undefined;
  readonly notes?: readonly Note[] | undefined;
  readonly unmatched?: FollowedTarget['unmatched'];
  /** For running text with translated links. */
  readonly tags?: LinkTags | undefined;
  readonly expected: SourceKeys;
  readonly plan: FilePlan;
}

/** The state of a file in one language. */
export type TargetComparison =
  | { readonly kind: 'compared'; readonly survey: Survey }
  /** The target is unchanged since an earlier run: there is nothing to do, and it was not opened. */
  | { readonly kind: 'clean'; readonly counts: CleanFindings }
  /** The target exists but is unusable, or its source is unreadable. */
  | {
      readonly kind: 'unreadable';
      readonly error: DragomanError;
      readonly ofSource?: boolean;
      /** Set if its texts match neither source nor lock: the number of texts in the source. */
      readonly foreign?: number | undefined;
    };
