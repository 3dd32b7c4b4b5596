import { createHash } from 'node:crypto';
import { ContentMissing } from '../../content-store/port.js';
import { DamagedContent } from '../../content-store/sealed.js';
import type { DriveState } from '../../domain/foundation/state.js';
import type { Content, FileContent } from '../../domain/directory/record.js';
import type { EventStore, FoldableEvent } from '../../event-store/port.js';
import { checking, emptyState, foldOnto, orBroken, type StreamSource } from '../fold/fold.js';
import { ContentKeyMissing, type Contents } from './contents.js';
import { contentGaps, recordsIn } from './gaps.js';
import { deletedSince } from './recorded.js';

interface NamingVersion {
  readonly file_id: string;
  readonly version_id: string;
  /** Hex. */
  readonly sha256: string;
}

/** A content that is not what was stored. */
export interface ContentFlaw {
  readonly content_id: string;
  /** A version that names it; if none does any more, the one that it was stored for. */
  readonly file_id: string;
  readonly version_id: string;
  /** Number of other versions that name it. */
  readonly other_versions: number;
  /** A part of a sentence. */
  readonly problem: string;
}

interface ContentsReport {
  readonly contents: number;
  /** Checked bytes in clear. */
  readonly bytes: number;
  readonly flaws: readonly ContentFlaw[];
}

interface VerifyInput {
  readonly drive_id: string;
  readonly events: EventStore;
  readonly contents: Contents;
  readonly progress?: (bytes: number, total: number) => void;
  /** Ends the verification with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Reads all stored bytes of a drive: every frame must be authentic, and the SHA-256 that of each version that names
 * the content. Also beside a running service: contents deleted meanwhile are no flaws.
 * @throws BrokenStream; errors of the stores
 */
export async function verifyContents(input: VerifyInput): Promise<ContentsReport> {
  const { drive_id, events, progress, signal } = input;
  const stored_for = new Map<string, NamingVersion>();
  const folded = emptyState(drive_id);
  await orBroken(drive_id, foldOnto(folded, noting(events, stored_for), { to: Infinity }));
  const { state } = folded;
  const total = state.contents.sum('of_drive', '');
  const stores = { events, contents: input.contents.store };
  const { missing } = await contentGaps(stores, drive_id, recordsIn(state));
  const flaws: ContentFlaw[] = [];
  let [contents, bytes] = [0, 0];
  for (const content of [...state.contents.values()]) {
    const versions = versionsOf(state, content.id);
    const named = versions.length > 0 ? versions : [stored_for.get(content.id)!];
    const before = bytes;
    const read = (count: number): void => {
      signal?.throwIfAborted();
      bytes += count;
      progress?.(bytes, total);
    };
    const found = await flawOf(input, content, named, missing.get(content.id), read);
    contents++;
    bytes = before + content.size;
    progress?.(bytes, total);
    if (found) flaws.push(found);
  }
  if (flaws.length === 0) return { contents, bytes, flaws };
  const gone = await deletedSince(events, drive_id, state.revision);
  return { contents, bytes, flaws: flaws.filter(({ content_id }) => !gone.has(content_id)) };
}

async function flawOf(
  { drive_id, contents }: VerifyInput,
  { id: content_id, size }: Content,
  named: readonly NamingVersion[],
  gap: string | undefined,
  read: (bytes: number) => void,
): Promise<ContentFlaw | null> {
  const flaw = (problem: string, { file_id, version_id } = named[0]!): ContentFlaw => {
    return { content_id, file_id, version_id, other_versions: named.length - 1, problem };
  };
  const key = { drive_id, content_id };
  if (gap !== undefined) return flaw(gap);
  const hash = createHash('sha256');
  try {
    for await (const chunk of contents.read(key, { size, from: 0, to: size })) {
      hash.update(chunk);
      read(chunk.length);
    }
  } catch (error) {
    if (error instanceof DamagedContent) return flaw(`is damaged: ${error.message}`);
    if (error instanceof ContentMissing) return flaw(`is missing: ${error.message}`);
    if (error instanceof ContentKeyMissing)
      return flaw('cannot be checked: the organization was imported without its keys');
    throw error;
  }
  const sha256 = hash.digest('hex');
  const other = named.find((version) => version.sha256 !== sha256);
  return other ? flaw(`has the SHA-256 ${sha256} instead of ${other.sha256}`, other) : null;
}

export function versionsOf(state: DriveState, content_id: string): NamingVersion[] {
  const found: NamingVersion[] = [];
  for (const id of state.files.by('content', content_id)) {
    const file = state.files.get(id)!;
    found.push({ file_id: id, version_id: file.version_id, sha256: sha256Of(file) });
  }
  for (const id of state.file_versions.by('content', content_id)) {
    const version = state.file_versions.get(id)!;
    found.push({ file_id: version.file_id, version_id: id, sha256: sha256Of(version) });
  }
  return found;
}

function sha256Of({ sha256 }: FileContent): string {
  return sha256 ?? '';
}

/** The same events; the version that each content was stored for is noted. */
function noting(events: EventStore, stored_for: Map<string, NamingVersion>): StreamSource {
  const note = ({ type, data }: FoldableEvent): void => {
    if (type !== 'FileContentStored') return;
    const { content_id, ...version } = JSON.parse(data) as NamingVersion & { content_id: string };
    stored_for.set(content_id, version);
  };
  return checking(events, async (page) => {
    for (const event of page) note(event);
  });
}
