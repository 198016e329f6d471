import { createRequire } from 'node:module';
import type * as fxtranslate from 'fxtranslate';

/** What is used of the package: its WebAssembly knows the format of the records, routes, zstd and SHA-256. */
type Fxtranslate = Pick<typeof fxtranslate, 'resolveRoute' | 'verifyAndDecompress'>;

const loaded: { package?: Fxtranslate } = {};

/** A CommonJS package beside the bundle, which needs none of it to translate: loaded when something is installed. */
function load(): Fxtranslate {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- that is what the package has
  loaded.package ??= createRequire(import.meta.url)('fxtranslate') as Fxtranslate;
  return loaded.package;
}

/** What is in a zstd file. @throws where it is damaged, or its SHA-256 is not `sha256`. */
export function decompress(bytes: Uint8Array, sha256: string | undefined): Uint8Array {
  return load().verifyAndDecompress(bytes, sha256);
}

/** The directions, one or two, by which the records get from source to target; undefined when there is no way. */
export function routeOf(
  records: string,
  source: string,
  target: string,
): readonly (readonly [string, string])[] | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- documented by the package
    const route = JSON.parse(load().resolveRoute(records, source, target)) as {
      readonly src: string;
      readonly pivot?: string;
      readonly trg: string;
    };
    const { src, pivot, trg } = route;
    return pivot === undefined
      ? [[src, trg]]
      : [
          [src, pivot],
          [pivot, trg],
        ];
  } catch {
    return undefined;
  }
}
