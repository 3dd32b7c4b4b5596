import { loadMasterKey, openSqliteStores } from '../../libs/event-store/sqlite/index.js';
import type { StoredEvent } from '../../libs/event-store/port.js';
import { emptyState, FACTORY_ID, foldOnto, streamOf } from '../../libs/engine/fold/fold.js';
import type { Asked } from './load.js';

/** Everything that stands in a data folder, read without the service. */
export interface Ledger {
  /** Drives named by the factory. */
  readonly named: ReadonlySet<string>;
  /** Events of every request in the order in which they were stored, by its id. */
  readonly by_request: ReadonlyMap<string, readonly StoredEvent[]>;
  readonly streams: ReadonlyMap<string, readonly StoredEvent[]>;
}

/**
 * Reads a folder whose server has ended. Every stream is folded with its hash chain verified, so gaps
 * and broken hashes throw.
 */
export async function readLedger(data_dir: string): Promise<Ledger> {
  const stores = openSqliteStores({ data_dir, master_key: loadMasterKey(data_dir) });
  try {
    const streams = new Map<string, StoredEvent[]>();
    const by_request = new Map<string, StoredEvent[]>();
    for (let after = -1; ;) {
      const page = await stores.events.readAll(after, 1000);
      for (const event of page) {
        const events = streams.get(event.stream) ?? [];
        events.push(event);
        streams.set(event.stream, events);
        const { correlation_id } = JSON.parse(event.metadata) as { correlation_id: string };
        by_request.set(correlation_id, [...(by_request.get(correlation_id) ?? []), event]);
        after = event.position;
      }
      if (page.length === 0) break;
    }
    for (const stream of streams.keys()) {
      const drive_id = stream === FACTORY_ID ? stream : stream.slice('drive-'.length);
      await foldOnto(emptyState(drive_id), stores.events, { to: Infinity, verify: true });
    }
    const named = (streams.get(FACTORY_ID) ?? []).map(
      ({ data }) => (JSON.parse(data) as { drive_id: string }).drive_id,
    );
    return { named: new Set(named), by_request, streams };
  } finally {
    await stores.close();
  }
}

/** What is wrong with the ledger, given what was asked; empty if nothing is. */
export function complaints(ledger: Ledger, asked: readonly Asked[]): string[] {
  const found: string[] = [];
  for (const one of asked) {
    const events = ledger.by_request.get(one.correlation_id) ?? [];
    const types = events.map(({ type }) => type).join();
    const what = `${one.kind} ${one.correlation_id} (${one.status})`;
    const whole = one.kind === 'group' ? WHOLE_GROUP : wholeQuickstart(one.members);
    const is_acknowledged = one.status === 200;
    if (is_acknowledged && types !== whole.join()) found.push(`${what}: stored ${types}`);
    // A crash between its two streams leaves the drive's own, unnamed; anything else is half a command.
    const possible = ['', whole.join(), whole.slice(0, -1).join()];
    if (!is_acknowledged && !possible.includes(types)) found.push(`${what}: half: ${types}`);
    if (one.kind === 'group' && is_acknowledged) {
      const event = ledger.streams.get(streamOf(one.drive_id))?.[one.revision];
      if (!event?.data.includes(one.group_id)) found.push(`${what}: not at ${one.revision}`);
    }
    if (one.kind === 'quickstart' && is_acknowledged && !ledger.named.has(one.made_drive_id))
      found.push(`${what}: not named`);
  }
  return found;
}

const WHOLE_GROUP = ['GroupCreated'];

function wholeQuickstart(members: number): string[] {
  return [
    'OrganizationSpawned',
    'OrganizationActivated',
    'ApiKeyCreated',
    ...Array.from({ length: members }, () => 'MemberJoined'),
    'DriveSpawned',
  ];
}
