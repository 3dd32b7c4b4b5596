import type { EventStore, StoredEvent } from '../../event-store/port.js';
import { streamOf } from '../fold/fold.js';

/** Events per read. */
const PAGE = 1_000;

export interface RecordedContent {
  /** Bytes in clear. */
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
}

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
