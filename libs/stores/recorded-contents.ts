import type { RecordedContent } from '../content-store/files/content-files.js';
import type { EventStore, StoredEvent } from '../event-store/port.js';
import type { SqliteStores } from '../event-store/sqlite/index.js';

/** Events per read. */
const PAGE = 1_000;
const PREFIX = 'drive-';

/** The contents that events record and no later event deletes. Reads all events, if any records a content. */
export async function recordedContents(
  events: SqliteStores['events'],
): Promise<Iterable<RecordedContent>> {
  const recorded = new Map<string, RecordedContent>();
  if (!events.hasType('FileContentStored')) return recorded.values();
  for await (const { stream, type, data } of allEvents(events)) {
    if (type !== 'FileContentStored' && type !== 'ContentsDeleted') continue;
    const { content_id = '', size = 0, content_ids = [] } = JSON.parse(data) as Body;
    if (type === 'FileContentStored')
      recorded.set(`${stream} ${content_id}`, {
        drive_id: stream.slice(PREFIX.length),
        content_id,
        size,
      });
    for (const id of content_ids) recorded.delete(`${stream} ${id}`);
  }
  return recorded.values();
}

/** The bodies of both types. */
interface Body {
  readonly content_id?: string;
  readonly size?: number;
  readonly content_ids?: readonly string[];
}

async function* allEvents(events: EventStore): AsyncGenerator<StoredEvent, void> {
  for (let after = -1; ;) {
    const page = await events.readAll(after, PAGE);
    if (page.length === 0) return;
    yield* page;
    after = page.at(-1)!.position;
  }
}
