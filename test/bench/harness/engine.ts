import { READ_SCHEMA } from '../../../libs/application/read-schema.js';
import type { DomainSettings } from '../../../libs/domain/foundation/decision.js';
import { Drives } from '../../../libs/engine/drives/drives.js';
import { DEFAULT_LIMITS, type EngineLimits } from '../../../libs/engine/drives/limits.js';
import type { SnapshotMaker } from '../../../libs/engine/snapshots/snapshot-maker.js';
import type { SqliteStores } from '../../../libs/event-store/sqlite/index.js';
import { MemoryReadModel } from '../../../libs/read-model/memory/memory-read-model.js';
import type { AnyReadModel } from '../../../libs/read-model/port.js';

const SETTINGS: DomainSettings = {
  host_url: 'http://127.0.0.1',
  frontend_url: 'http://127.0.0.1',
  version: 'bench',
  transfer_wait_ms: 0,
  everyone_disk_permissions: ['VIEW', 'UPLOAD', 'EDIT'],
  default_disk: '',
  items_per_action: 50_000,
  trash_ms: 30 * 86_400_000,
  verify_bucket_uploads: false,
  content_max_bytes: 5 * 2 ** 30,
  content_quota_bytes: 0,
  content_retention_ms: 30 * 86_400_000,
};

/** The engine on open stores as the service has it, without HTTP. */
export function openDrives(
  { events, side }: Pick<SqliteStores, 'events' | 'side'>,
  {
    limits = {},
    read_model = new MemoryReadModel(READ_SCHEMA),
    ...more
  }: {
    readonly limits?: Partial<EngineLimits>;
    readonly read_model?: AnyReadModel;
    readonly snapshots?: SnapshotMaker;
  } = {},
): Drives {
  return new Drives({
    events,
    side,
    read_model,
    limits: { ...DEFAULT_LIMITS, ...limits },
    settings: SETTINGS,
    ...more,
    report: (what, drive_id, error) => console.error(what, drive_id, error),
  });
}

/** What an outcome answered; a refusal is a mistake of the bench. */
export function dataOf<T>(outcome: { data: T } | { refusal: unknown }): T {
  if ('refusal' in outcome) throw new Error(`refused: ${JSON.stringify(outcome.refusal)}`);
  return outcome.data;
}
