import { ContentExists, ContentMissing } from '../../content-store/port.js';
import { DamagedContent } from '../../content-store/sealed.js';
import { directoryCommands } from '../../domain/directory/definitions.js';
import { ContentKeyMissing, type Contents, WrongDigest } from '../contents/contents.js';
import type { RecordedContent } from '../contents/recorded.js';
import type { Drives } from '../drives/drives.js';
import { systemRequest, Unavailable } from '../writer/call.js';

/** Maximum ids of one command. */
const MOST_IDS = 500;

/** A content that could not be copied. */
export interface OmittedContent {
  readonly drive_id: string;
  readonly content_id: string;
  /** A part of a sentence. */
  readonly problem: string;
}

export interface CopiedContents {
  /** Contents copied by this call. */
  readonly copied: number;
  /** Contents that the target had. */
  readonly existing: number;
  readonly omitted: readonly OmittedContent[];
}

interface CopyInput {
  readonly drive_id: string;
  /** By content id. */
  readonly recorded: ReadonlyMap<string, RecordedContent>;
  readonly from: Contents;
  readonly to: Contents;
  /** Called with the bytes of each chunk. */
  readonly progress?: (bytes: number) => void;
  /** Ends the copy with the signal's reason; what was copied stays, and the next call omits it. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Copies contents of a drive. Each frame is authenticated, encrypted for the target, and the SHA-256 of each content is
 * checked before it appears there.
 * @throws ContentStoreFull; errors of the stores
 */
export async function copyContents(input: CopyInput): Promise<CopiedContents> {
  const { drive_id, recorded, to, progress, signal } = input;
  const omitted: OmittedContent[] = [];
  let [copied, existing] = [0, 0];
  for (const [content_id, { size, sha256 }] of recorded) {
    signal?.throwIfAborted();
    const key = { drive_id, content_id };
    if (await to.isThere(key, size)) {
      existing++;
      progress?.(size);
      continue;
    }
    // Another length is damage.
    await to.delete(key);
    try {
      await to.write(key, chunksOf(input, key, size), sha256);
      copied++;
    } catch (error) {
      if (error instanceof ContentExists) existing++;
      else omitted.push({ ...key, problem: problemOf(error) });
    }
  }
  return { copied, existing, omitted };
}

async function* chunksOf(
  { from, progress, signal }: CopyInput,
  key: { readonly drive_id: string; readonly content_id: string },
  size: number,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of from.read(key, { size, from: 0, to: size })) {
    signal?.throwIfAborted();
    progress?.(chunk.length);
    yield chunk;
  }
}

/** @throws the error, unless it concerns this content alone */
function problemOf(error: unknown): string {
  if (error instanceof ContentMissing) return 'is missing';
  if (error instanceof DamagedContent) return `is damaged: ${error.message}`;
  if (error instanceof WrongDigest) return 'is damaged: it has another SHA-256';
  if (error instanceof ContentKeyMissing) return 'cannot be read without the keys';
  throw error;
}

/**
 * Removes the records of contents that an import has not brought, so that their versions are shown as unavailable. An
 * organization that cannot be changed (without keys, or with events of a later release) keeps them.
 */
export async function removeContents(
  drives: Drives,
  drive_id: string,
  content_ids: readonly string[],
  correlation_id: string,
): Promise<void> {
  const { RemoveLostContents } = directoryCommands;
  for (let at = 0; at < content_ids.length; at += MOST_IDS)
    try {
      const command = { content_ids: content_ids.slice(at, at + MOST_IDS) };
      await drives.commands.run(
        drive_id,
        RemoveLostContents,
        command,
        systemRequest(correlation_id),
      );
    } catch (error) {
      if (error instanceof Unavailable && KEEPS.has(error.reason)) return;
      throw error;
    }
}

const KEEPS: ReadonlySet<string> = new Set(['sealed', 'closed']);
