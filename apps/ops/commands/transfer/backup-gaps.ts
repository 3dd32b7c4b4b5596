import { sealedSize } from '../../../../libs/content-store/sealed.js';
import { deletedSince, RecordedContents } from '../../../../libs/engine/contents/recorded.js';
import { driveOf } from '../../../../libs/engine/fold/fold.js';
import type { EventStore } from '../../../../libs/event-store/port.js';
import { pathOf } from '../../../../libs/stores/backup/keys.js';
import { readContentList } from '../../../../libs/stores/backup/manifest.js';
import { eventsIn } from '../../../../libs/stores/backup/recorded.js';

/** The events that `RecordedContents` notes. */
const CONTENT_EVENTS = ['FileContentStored', 'ContentsDeleted'];

/** A content that the events of a backup name and the backup does not have, or not whole. */
export interface MissingContent {
  readonly drive_id: string;
  readonly content_id: string;
}

/**
 * Contents that a backup lacks although its events name them.
 * @param folder of the backup
 * @param events of the installation: what it has deleted since the copy of its events is not missing
 */
export async function missingIn(
  folder: string,
  events: EventStore,
): Promise<readonly MissingContent[]> {
  const recorded = new RecordedContents();
  const streams = new Set<string>();
  for (const event of eventsIn(folder, CONTENT_EVENTS)) {
    recorded.note(event.stream, event);
    streams.add(event.stream);
  }
  const list = await readContentList(folder);
  const bytes = new Map(list.map((one) => [pathOf(one), one.bytes]));
  const missing: MissingContent[] = [];
  for (const drive_id of [...streams].map(driveOf)) {
    if (drive_id === null) continue;
    const { contents, revision } = recorded.of(drive_id);
    const lacking = [...contents]
      .map(([content_id, { size }]) => ({ drive_id, content_id, size }))
      .filter((one) => bytes.get(pathOf(one)) !== sealedSize(one.size));
    if (lacking.length === 0) continue;
    const deleted = await deletedSince(events, drive_id, revision);
    for (const { content_id } of lacking)
      if (!deleted.has(content_id)) missing.push({ drive_id, content_id });
  }
  return missing;
}
