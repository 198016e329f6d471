import type * as fxtranslate from 'fxtranslate';

/**
 * The package's WebAssembly knows the format of the records, routes, zstd and SHA-256. It is compiled when a model is
 * installed. The package is a CommonJS one, whose types do not mention its default export.
 */
async function load(): Promise<Pick<typeof fxtranslate, 'resolveRoute' | 'verifyAndDecompress'>> {
  const loaded: object = await import('fxtranslate');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- that is how Node imports a CommonJS package
  return (loaded as { readonly default: typeof fxtranslate }).default;
}

/** What is in a zstd file. @throws where it is damaged, or its SHA-256 is not `sha256`. */
export async function decompress(bytes: Uint8Array, sha256: string | undefined): Promise<Uint8Array> {
  return (await load()).verifyAndDecompress(bytes, sha256);
}

/** The directions, one or two, by which the records get from source to target; undefined when there is no way. */
export async function routeOf(
  records: string,
  source: string,
  target: string,
): Promise<readonly (readonly [string, string])[] | undefined> {
  const { resolveRoute } = await load();
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- documented by the package
    const route = JSON.parse(resolveRoute(records, source, target)) as {
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
