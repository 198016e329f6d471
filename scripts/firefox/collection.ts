import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ModelSet } from './model-set.ts';
import { packZstd } from './zstd.ts';

/** A model set of a collection. */
export interface Member {
  readonly source: string;
  readonly target: string;
  readonly set: ModelSet;
  readonly version?: string;
  readonly architecture?: string;
}

/** The collection server's record of one file. */
export interface ModelRecord {
  readonly id: string;
  readonly name: string;
  readonly fileType: string;
  readonly sourceLanguage: string;
  readonly targetLanguage: string;
  readonly version: string;
  readonly architecture: string;
  readonly decompressedHash?: string;
  readonly decompressedSize?: number;
  readonly attachment: {
    readonly hash: string;
    readonly size: number;
    readonly filename: string;
    readonly location: string;
    readonly mimetype: string;
  };
}

const FILE_NAMES: Readonly<Record<string, (pair: string) => string>> = {
  model: (pair) => `model.${pair}.intgemm.alphas.bin`,
  lex: (pair) => `lex.50.50.${pair}.s2t.bin`,
  vocab: (pair) => `vocab.${pair}.spm`,
};

/**
 * Writes a collection of models like Firefox's servers: `records.json`, and the compressed files at their
 * locations below the directory.
 */
export function writeCollection(directory: string, members: readonly Member[]): readonly ModelRecord[] {
  const records = members.flatMap((member) =>
    Object.entries(member.set).map(([role, content]: [string, Buffer]) =>
      writeFile(directory, member, role, content),
    ),
  );
  writeFileSync(join(directory, 'records.json'), JSON.stringify({ data: records }));
  return records;
}

function writeFile(directory: string, member: Member, role: string, content: Buffer): ModelRecord {
  const { source, target, version = '3.0', architecture = 'tiny' } = member;
  const packed = packZstd(content);
  const name = FILE_NAMES[role]?.(`${source}${target}`) ?? role;
  const hash = sha256(packed);
  const location = `main-workspace/translations-models-v2/${hash.slice(0, 32)}.zst`;
  mkdirSync(dirname(join(directory, location)), { recursive: true });
  writeFileSync(join(directory, location), packed);
  return {
    id: hash.slice(32),
    name,
    fileType: role,
    sourceLanguage: source,
    targetLanguage: target,
    version,
    architecture,
    decompressedHash: sha256(content),
    decompressedSize: content.length,
    attachment: {
      hash,
      size: packed.length,
      filename: `${name}.zst`,
      location,
      mimetype: 'application/zstd',
    },
  };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
