import type { StoreNews } from '../../store/store.ts';
import type { PlainError } from '../../workers/protocol.ts';

/** Where a process stands among those of its server. */
export interface Place {
  /** Counts from 0. Who takes over from one that died has its number. */
  readonly index: number;
  readonly count: number;
  /** The address that the primary listens on. */
  readonly url: string;
  /** The keys whose requests the primary counts. */
  readonly sharedKeys: readonly string[];
}

/** The message of a process when it is ready. */
export interface Announced {
  readonly url: string;
  readonly hasAccounts: boolean;
  readonly warnings: readonly string[];
}

/** How long the uploads of an account were read. */
export interface Inspected {
  readonly accountId: string;
  readonly ms: number;
}

/** The calls of a process to the primary. */
export interface PrimaryCalls {
  join(none: undefined): Place;
  ready(server: Announced): void;
  /** The connection of that number has arrived. */
  accepted(id: number): void;
  /** Why the process ends. */
  failed(error: PlainError): void;
  /** Whether the key may have one more request in work: counts it then. */
  enter(request: { readonly key: string; readonly limit: number }): Promise<boolean>;
  leave(key: string): void;
  inWork(key: string): Promise<number>;
  metrics(none: undefined): Promise<readonly (readonly object[])[]>;
  inspected(inspected: Inspected): void;
  announce(news: StoreNews): void;
}

/** Calls from the primary to a process. */
export interface MemberCalls {
  /** From now on the primary counts the requests of the key. Answers how many are in work. */
  share(key: string): number;
  unshare(key: string): void;
  inWork(key: string): number;
  metrics(none: undefined): Promise<readonly object[]>;
  inspected(inspected: Inspected): void;
  news(news: StoreNews): void;
  stop(none: undefined): void;
}
