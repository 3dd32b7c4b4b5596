import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { checkKey, type ContentKey, type ContentStore } from '../../content-store/port.js';

/**
 * A folder of backups. Each backup is a folder named by its time, with copies of `events.db` and `side.db`, the list
 * of its contents and a manifest of digests. All backups share the folder of contents, which never change.
 */
export const CONTENTS = 'content';
export const MANIFEST = 'manifest.json';
export const CONTENT_LIST = 'contents.jsonl';
export const DATABASES = ['events.db', 'side.db'] as const;
/** The files that a manifest describes. */
const FILES = [...DATABASES, CONTENT_LIST] as const;
/** Beginning of the name of a backup that has not ended. */
export const UNFINISHED = '.unfinished-';

const FORMAT = 1;

interface BackedUpFile {
  readonly name: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

export interface Manifest {
  readonly format: number;
  /** When the backup began, ms since 1970: all that was acknowledged before is in it. */
  readonly began_ms: number;
  readonly files: readonly BackedUpFile[];
  readonly contents: number;
  readonly content_bytes: number;
}

/** A content in the list of a backup: its stored, encrypted bytes. */
export interface BackedUpContent {
  readonly drive_id: string;
  readonly content_id: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

/** There is no backup, or it is not what was written. */
export class UnusableBackup extends Error {
  override readonly name = 'UnusableBackup';
}

const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/;

/** Names of finished backups, the earliest first. */
export async function backupsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => {
    throw new UnusableBackup(`${folder} is not a folder of backups.`);
  });
  return names.filter((name) => timeIn(name) >= 0).sort();
}

/** The name of a new backup: its time, or one after the last backup if the clock has been set back. */
export function nameAfter(last: string | undefined, began_ms: number): string {
  const ms = last === undefined ? began_ms : Math.max(began_ms, timeIn(last) + 1);
  return new Date(ms).toISOString().replaceAll(/[:.]/g, '-');
}

/** The time in the name of a backup, ms since 1970; NaN for other names. */
function timeIn(name: string): number {
  return Date.parse(name.replace(NAME, '$1T$2:$3:$4.$5Z'));
}

/** @throws UnusableBackup */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST);
  let manifest: Manifest;
  try {
    manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest;
  } catch (error) {
    throw new UnusableBackup(`${path} cannot be read.`, { cause: error });
  }
  if (manifest?.format !== FORMAT)
    throw new UnusableBackup(
      `${path} has format ${manifest?.format}; this release reads ${FORMAT}.`,
    );
  // Nothing authenticates a manifest: names of other files could lie outside the folder.
  const names = Array.isArray(manifest.files) ? manifest.files.map((file) => file?.name) : [];
  if (JSON.stringify(names.sort()) !== JSON.stringify([...FILES].sort()))
    throw new UnusableBackup(`${path} is damaged: its files are not ${FILES.join(', ')}.`);
  return manifest;
}

export function newManifest(manifest: Omit<Manifest, 'format'>): Manifest {
  return { format: FORMAT, ...manifest };
}

/** Contents of a backup, by drive and content. @throws UnusableBackup */
export async function readContentList(folder: string): Promise<readonly BackedUpContent[]> {
  const path = join(folder, CONTENT_LIST);
  try {
    const text = await readFile(path, 'utf8');
    const lines = text.split('\n').filter((line) => line !== '');
    return lines.map((line) => {
      const content = JSON.parse(line) as BackedUpContent;
      checkKey(content.drive_id, content.content_id);
      return content;
    });
  } catch (error) {
    throw new UnusableBackup(`${path} is missing or damaged.`, { cause: error });
  }
}

export async function describeFile(folder: string, name: string): Promise<BackedUpFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(createReadStream(join(folder, name)), async (chunks) => {
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  });
  return { name, bytes, sha256: hash.digest('hex') };
}

/** A content cannot be read to its end; `cause` says why. */
export class ContentUnreadable extends Error {
  override readonly name = 'ContentUnreadable';
}

/**
 * The stored bytes of a content; `digest` is their SHA-256 (hex) once they have ended. The chunks throw
 * ContentUnreadable.
 */
export function digested(
  store: ContentStore,
  key: ContentKey,
): { readonly chunks: AsyncGenerator<Uint8Array, void>; readonly digest: () => string } {
  const hash = createHash('sha256');
  async function* chunks(): AsyncGenerator<Uint8Array, void> {
    try {
      for await (const chunk of store.read(key)) {
        hash.update(chunk);
        yield chunk;
      }
    } catch (cause) {
      throw new ContentUnreadable(cause instanceof Error ? cause.message : String(cause), {
        cause,
      });
    }
  }
  return { chunks: chunks(), digest: () => hash.digest('hex') };
}
