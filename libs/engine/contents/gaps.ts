import type { ContentStore, StoredContent } from '../../content-store/port.js';
import { sealedSize } from '../../content-store/sealed.js';
import type { EventStore } from '../../event-store/port.js';
import type { DriveState } from '../../domain/foundation/state.js';
import { deletedSince } from './recorded.js';

/** Stored contents per read. */
const PAGE = 1_000;

/** The stored contents of a drive after an id, in the order of their ids. */
export async function* storedContents(
  store: ContentStore,
  drive_id: string,
  { after = '', counted = false } = {},
): AsyncGenerator<StoredContent, void> {
  for (let last = after; ;) {
    const page = await store.list(drive_id, last, PAGE, counted);
    yield* page;
    if (page.length < PAGE) return;
    last = page.at(-1)!.content_id;
  }
}

/** Contents of a drive by id, with their sizes in clear. */
type Sizes = ReadonlyMap<string, { readonly size: number }>;

/** The records of a drive's contents as of a revision. */
interface Records {
  readonly contents: Sizes;
  readonly revision: number;
}

/** The records in a state, which may change meanwhile. */
export function recordsIn({ contents, revision }: DriveState): Records {
  return { contents: new Map([...contents.values()].map((one) => [one.id, one])), revision };
}

/** Differences between the records of a drive's contents and the stored bytes. */
interface ContentGaps {
  /** Contents with a record and no bytes, or another number of them; by id, with what is wrong as a part of a sentence. */
  readonly missing: ReadonlyMap<string, string>;
  /** Stored contents without a record. */
  readonly unreferenced: readonly StoredContent[];
}

/**
 * Compares records with stored sizes; nothing is read.
 * @param before_ms contents without a record that were stored later may belong to an upload in progress
 */
export async function sizeGaps(
  store: ContentStore,
  drive_id: string,
  recorded: Sizes,
  before_ms = 0,
): Promise<ContentGaps> {
  const missing = new Map([...recorded.keys()].map((id) => [id, 'is missing']));
  const unreferenced: StoredContent[] = [];
  for await (const stored of storedContents(store, drive_id, { counted: true })) {
    const { content_id, bytes } = stored;
    const size = recorded.get(content_id)?.size;
    if (size === undefined) {
      if (stored.stored_ms < before_ms) unreferenced.push(stored);
    } else if (bytes === sealedSize(size)) missing.delete(content_id);
    else missing.set(content_id, `has ${bytes} stored bytes instead of ${sealedSize(size)}`);
  }
  return { missing, unreferenced };
}

/** As `sizeGaps`, also beside a running service: what was deleted after the records' revision is not missing. */
export async function contentGaps(
  { events, contents }: { readonly events: EventStore; readonly contents: ContentStore },
  drive_id: string,
  recorded: Records,
  before_ms?: number,
): Promise<ContentGaps> {
  const gaps = await sizeGaps(contents, drive_id, recorded.contents, before_ms);
  if (gaps.missing.size === 0) return gaps;
  const deleted = await deletedSince(events, drive_id, recorded.revision);
  return { ...gaps, missing: new Map([...gaps.missing].filter(([id]) => !deleted.has(id))) };
}
