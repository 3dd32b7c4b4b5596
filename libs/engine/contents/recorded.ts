import { sealedSize } from '../../content-store/sealed.js';
import type { ContentStore } from '../../content-store/port.js';
import type { EventStore, StoredEvent } from '../../event-store/port.js';
import { streamOf } from '../fold/fold.js';

/** Events, or stored contents, per read. */
const PAGE = 1_000;

export interface RecordedContent {
  /** Bytes in clear. */
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
}

/** The records of a drive's contents. */
interface Recorded {
  /** By content id. */
  readonly contents: Map<string, RecordedContent>;
  /** The last event that was noted. */
  revision: number;
}

/** Records of contents, collected from the events of drives without their states. */
export class RecordedContents {
  private readonly streams = new Map<string, Recorded>();

  note(
    stream: string,
    { revision, type, data }: Pick<StoredEvent, 'revision' | 'type' | 'data'>,
  ): void {
    if (type !== 'FileContentStored' && type !== 'ContentsDeleted') return;
    let recorded = this.streams.get(stream);
    if (!recorded) this.streams.set(stream, (recorded = { contents: new Map(), revision }));
    recorded.revision = revision;
    if (type === 'ContentsDeleted') for (const id of deletedBy(data)) recorded.contents.delete(id);
    else {
      const { content_id, size, sha256 } = JSON.parse(data) as Stored;
      recorded.contents.set(content_id, { size, sha256 });
    }
  }

  of(drive_id: string): Readonly<Recorded> {
    return this.streams.get(streamOf(drive_id)) ?? { contents: new Map(), revision: -1 };
  }
}

type Stored = RecordedContent & { readonly content_id: string };

function deletedBy(data: string): readonly string[] {
  return (JSON.parse(data) as { content_ids: readonly string[] }).content_ids;
}

/** Contents of a drive that were deleted after a revision. */
export async function deletedSince(
  events: EventStore,
  drive_id: string,
  revision: number,
): Promise<ReadonlySet<string>> {
  const deleted = new Set<string>();
  for (let from = revision + 1; ;) {
    const page = await events.readStream(streamOf(drive_id), from, 'forward', PAGE);
    for (const { type, data } of page)
      if (type === 'ContentsDeleted') for (const id of deletedBy(data)) deleted.add(id);
    if (page.length < PAGE) return deleted;
    from = page.at(-1)!.revision + 1;
  }
}

/** Differences between the records of a drive's contents and the stored bytes. */
export interface ContentGaps {
  /** Contents with a record, and no bytes or another number of them. */
  readonly missing: readonly string[];
  /** Stored contents without a record. */
  readonly unreferenced: readonly string[];
  readonly unreferenced_bytes: number;
}

/**
 * Compares sizes only; nothing is read.
 * @param before_ms contents without a record that were stored later may belong to an upload in progress
 */
export async function contentGaps(
  store: ContentStore,
  drive_id: string,
  recorded: ReadonlyMap<string, RecordedContent>,
  before_ms: number,
): Promise<ContentGaps> {
  const missing = new Set(recorded.keys());
  const unreferenced: string[] = [];
  let unreferenced_bytes = 0;
  for (let after = ''; ;) {
    const page = await store.list(drive_id, after, PAGE);
    for (const { content_id, bytes, stored_ms } of page) {
      const size = recorded.get(content_id)?.size;
      if (size !== undefined && bytes === sealedSize(size)) missing.delete(content_id);
      if (size !== undefined || stored_ms >= before_ms) continue;
      unreferenced.push(content_id);
      unreferenced_bytes += bytes;
    }
    if (page.length < PAGE) return { missing: [...missing], unreferenced, unreferenced_bytes };
    after = page.at(-1)!.content_id;
  }
}
