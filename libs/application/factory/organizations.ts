import type { Caller } from '../../domain/foundation/decision.js';
import { Unavailable } from '../../engine/writer/call.js';
import type { Drive } from '../../engine/writer/drive.js';
import type { Drives } from '../../engine/drives/drives.js';
import { streamOf } from '../../engine/fold/fold.js';
import { StoreUnavailable, type StreamHead } from '../../event-store/port.js';
import { presentRecord } from '../replay/families.js';

/** An organization in the operator's list. */
export interface OrganizationSummary {
  readonly id: string;
  /** `''` if the organization cannot be read. */
  readonly name: string;
  /** 0 if not even the head of its stream can be read. */
  readonly events: number;
  /** Time of its last event, ms; null if the organization cannot be read. */
  readonly last_event_ms: number | null;
  /** `''` if the organization cannot be read. */
  readonly owner_id: string;
  readonly owner_name: string;
  /** The reason that requests to it get, if it cannot be read; otherwise null. */
  readonly unavailable: string | null;
}

/** All organizations in the stores, in order of creation. Loads each of them. */
export async function* describeOrganizations(
  drives: Drives,
  progress: (done: number, total: number) => void = () => {},
): AsyncGenerator<OrganizationSummary> {
  const ids = await drives.all();
  for (const [at, id] of ids.entries()) {
    progress(at, ids.length);
    yield await describe(drives, id);
  }
  progress(ids.length, ids.length);
}

async function describe(drives: Drives, id: string): Promise<OrganizationSummary> {
  try {
    return await drives.read(id, summaryOf);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const head = await headIfAny(drives, id);
    const unread = { name: '', last_event_ms: null, owner_id: '', owner_name: '' };
    return { id, events: (head?.revision ?? -1) + 1, ...unread, unavailable: error.reason };
  }
}

/** The head of a stream; null if it cannot be read. */
async function headIfAny(drives: Drives, id: string): Promise<StreamHead | null> {
  try {
    return await drives.events.head(streamOf(id));
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    return null;
  }
}

function summaryOf(drive: Drive): OrganizationSummary {
  const { state, head, drive_id: id } = drive;
  const { name, owner_id } = state.organization;
  const owner = state.contacts.get(owner_id);
  const caller: Caller = { user_id: owner_id, api_key_id: null, via: 'SYSTEM', key_expires_at: -1 };
  const shown = owner && presentRecord(drive.context(caller, drive.now()), 'contacts', owner);
  return {
    ...{ id, name, events: head.revision + 1, last_event_ms: state.timestamp_ms },
    ...{ owner_id, owner_name: (shown as { name: string } | undefined)?.name ?? '' },
    unavailable: null,
  };
}
