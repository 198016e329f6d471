import type { StoreNews } from '../../store/store.ts';
import type { PlainError } from '../../workers/protocol.ts';

/** A process's number, and the server's shared state. */
export interface ProcessIdentity {
  /** Counts from 0. A replacement process takes the number of the one that died. */
  readonly index: number;
  readonly count: number;
  /** The address that the primary listens on. */
  readonly url: string;
  /** The keys whose requests the primary process counts. */
  readonly sharedKeys: readonly string[];
}

/** Sent by a process when it is ready. */
export interface ReadyMessage {
  readonly url: string;
  readonly hasAccounts: boolean;
  readonly warnings: readonly string[];
}

/** How long reading an account's uploads took. */
export interface Inspected {
  readonly accountId: string;
  readonly ms: number;
}

/** The calls that a process makes to the primary. */
export interface PrimaryCalls {
  join(none: undefined): ProcessIdentity;
  ready(server: ReadyMessage): void;
  /** The connection with this number has arrived. */
  accepted(id: number): void;
  /** Why the process ends. */
  failed(error: PlainError): void;
  /** Returns whether the key may have one more request, which is then counted. */
  enter(request: { readonly key: string; readonly limit: number }): Promise<boolean>;
  leave(key: string): void;
  inWork(key: string): Promise<number>;
  metrics(none: undefined): Promise<readonly (readonly object[])[]>;
  inspected(inspected: Inspected): void;
  announce(news: StoreNews): void;
}

/** The calls that the primary makes to a process. */
export interface ProcessCalls {
  /** From now on the primary counts the key's requests. Returns how many are in progress. */
  share(key: string): number;
  unshare(key: string): void;
  inWork(key: string): number;
  metrics(none: undefined): Promise<readonly object[]>;
  inspected(inspected: Inspected): void;
  news(news: StoreNews): void;
  stop(none: undefined): void;
}
