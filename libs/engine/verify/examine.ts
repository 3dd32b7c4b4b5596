import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventTypes } from '../../domain/drive/events.js';
import type { DriveState } from '../../domain/foundation/state.js';
import { DRIVE_KEY_ID } from '../../domain/kernel/sealed.js';
import { type EventStore, StoreUnavailable, type StreamHead } from '../../event-store/port.js';
import { KeyDoesNotOpen, type SideStores } from '../../event-store/stores.js';
import type { ContentStore } from '../../content-store/port.js';
import { LEFTOVER_MS } from '../contents/sweep.js';
import { contentGaps } from '../contents/gaps.js';
import { RecordedContents } from '../contents/recorded.js';
import { missingKeysText, RecordedKeys } from '../keys/recorded-keys.js';
import type { ReadModel } from '../../read-model/port.js';
import { emptyState, FACTORY_ID, foldOnto, hasEvent, streamOf } from '../fold/fold.js';
import { type Damage, DAMAGE_HELP, damageIn, damageOf } from '../following/stream-damage.js';

/** Events, or quarantined items, per read. */
const PAGE = 1000;
/** Lag of documents from which a warning is due, ms. */
const LONG_BEHIND_MS = 60_000;
/** Time by which the last event of an organization may be later than the clock, ms. */
const LONG_AHEAD_MS = 60_000;
/** Ids named in one finding. */
const MOST_IDS = 20;

export interface Examined {
  readonly check:
    | 'factory'
    | 'organization'
    | 'clock'
    | 'stray-stream'
    | 'event-types'
    | 'retention'
    | 'documents'
    | 'keys'
    | 'event-index'
    | 'content'
    | 'webhooks';
  /** `warn`: an operator should know; `bad`: an organization is not served, or will not be. */
  readonly state: 'ok' | 'warn' | 'bad';
  /** A sentence for the operator. */
  readonly says: string;
}

interface ExamineInput {
  readonly events: EventStore;
  readonly side: SideStores;
  /** Absent: content is not examined. */
  readonly contents?: ContentStore;
  /** The durable read model; else null. */
  readonly documents: ReadModel | null;
  /** Milliseconds since epoch. */
  readonly clock: () => number;
  /** Called with the number of events examined, of all streams. */
  readonly progress?: (events: number, total: number) => void;
  /** Ends the examination with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Examines stores for problems that an operator should know, without checking hashes (`verifyStream` does): drives
 * without a complete stream, streams without a drive, missing keys, and lagging or quarantined work.
 */
export async function* examineStores(input: ExamineInput): AsyncGenerator<Examined> {
  const { events } = input;
  const factory = emptyState(FACTORY_ID);
  const damage = await foldOnto(factory, events, { to: Infinity }).then(
    () => damageOf(events, FACTORY_ID),
    async (error: unknown) => {
      const broken = damageIn(FACTORY_ID, error);
      if (!broken) throw error;
      const found = await damageOf(events, FACTORY_ID);
      return found ?? broken;
    },
  );
  if (damage) yield findingOf(damage, 'factory');
  const { spawned_drives } = factory.state;
  const count = spawned_drives.size;
  yield finding('factory', 'ok', `The factory names ${count} organizations.`);
  let total = factory.state.revision + 1;
  for (const { id, importing } of spawned_drives.values()) {
    input.signal?.throwIfAborted();
    try {
      const damaged = await damageOf(events, id);
      if (damaged) yield findingOf(damaged, 'organization');
      if (damaged && damaged.kind !== 'limited') continue;
      const head = await events.head(streamOf(id));
      total += (head?.revision ?? -1) + 1;
      if (importing)
        yield finding(
          'organization',
          'bad',
          `${id} is not served: its import has not ended. Unless it still runs, repeat the same ops import; it resumes.`,
        );
      else yield* examineDrive(input, id, head);
    } catch (error) {
      // An unavailable store would be reported for every organization.
      if (error instanceof StoreUnavailable) throw error;
      const why = error instanceof Error ? error.message : String(error);
      yield finding('organization', 'bad', `${id} cannot be examined: ${why}.`);
    }
  }
  const known = new Set([...spawned_drives.ids()].map(streamOf));
  const contents = new RecordedContents();
  const keys = new RecordedKeys();
  if (factory.state.revision < 0 && !damage) yield* examineUnnamed(input);
  yield* examineStreams(input, known, [contents, keys], total);
  yield* examineKeys(input, spawned_drives, keys);
  yield* examineContents(input, spawned_drives, contents);
  yield* examineReactors(input);
  yield* examineLeftOvers(input);
}

/** An import of all organizations writes the factory's stream, which names them, last. */
async function* examineUnnamed({ events }: ExamineInput): AsyncGenerator<Examined> {
  if ((await events.readAll(-1, 1)).length === 0) return;
  yield finding(
    'factory',
    'bad',
    'There are events but none of the factory, so no organization is served: an import has not ended. ' +
      'Unless it still runs, repeat the same ops import; it resumes.',
  );
}

async function* examineLeftOvers({ documents }: ExamineInput): AsyncGenerator<Examined> {
  const names = (await documents?.leftOvers()) ?? [];
  if (names.length === 0) return;
  yield finding(
    'documents',
    'warn',
    `MongoDB still holds documents of an earlier release (${names.join(', ')}), with secrets and personal ` +
      'data in clear. Once no process of that release runs, restart a worker: it drops them.',
  );
}

function finding(check: Examined['check'], state: Examined['state'], says: string): Examined {
  return { check, state, says };
}

function findingOf({ kind, says }: Damage, check: 'factory' | 'organization'): Examined {
  return { check: kind === 'limited' ? 'retention' : check, state: 'bad', says };
}

async function* examineDrive(
  input: ExamineInput,
  drive_id: string,
  head: StreamHead | null,
): AsyncGenerator<Examined> {
  const { events, side } = input;
  const [first] = await events.readStream(streamOf(drive_id), 0, 'forward', 1);
  if (!head || first?.revision !== 0) {
    const what = !head ? 'has no events' : 'has lost its first events';
    yield finding('organization', 'bad', `${drive_id} ${what}; it is not served.`);
    return;
  }
  // One that does not open is found with all others.
  const has_key = await side.keys.get(drive_id, DRIVE_KEY_ID).catch((error: unknown) => {
    if (error instanceof KeyDoesNotOpen) return true;
    throw error;
  });
  if (!has_key)
    yield finding(
      'keys',
      'warn',
      `${drive_id} has no keys: it was imported without them, or they are lost. It can only be read.`,
    );
  const lag = head.revision - ((await side.index.position(drive_id))?.revision ?? -1);
  if (lag > 0)
    yield finding(
      'event-index',
      'ok',
      `${drive_id}: ${lag} events are not in the event index yet; the service adds them.`,
    );
  yield* examineTime(input, drive_id, head);
  yield* examineDocuments(input, drive_id, head);
}

/** Times of a stream never decrease: what a clock set wrong has written holds until the clock has reached it. */
async function* examineTime(
  { events, clock }: ExamineInput,
  drive_id: string,
  { revision }: StreamHead,
): AsyncGenerator<Examined> {
  const [last] = await events.readStream(streamOf(drive_id), revision, 'forward', 1);
  if (!last || last.timestamp_ms <= clock() + LONG_AHEAD_MS) return;
  const says =
    `${drive_id}: the last event is of ${new Date(last.timestamp_ms).toISOString()}, later than the clock here. ` +
    'Until then, further events have that time as well: see "A wrong clock" in docs/operations.md.';
  yield { check: 'clock', state: 'warn', says };
}

/** Documents lag briefly during writes; a longer lag has a cause. */
async function* examineDocuments(
  { events, documents, clock }: ExamineInput,
  drive_id: string,
  head: StreamHead,
): AsyncGenerator<Examined> {
  if (!documents) return;
  const checkpoint = await documents.checkpoint(drive_id);
  const revision = checkpoint?.revision ?? -1;
  if (checkpoint && !(await hasEvent(events, drive_id, checkpoint))) {
    const says =
      `${drive_id}: the documents diverge from the events (a restored backup); workers rebuild them when they ` +
      'start, and `reindex` does at once.';
    yield { check: 'documents', state: 'warn', says };
    return;
  }
  const lag = head.revision - revision;
  if (lag <= 0) return;
  const [lacking] = await events.readStream(streamOf(drive_id), revision + 1, 'forward', 1);
  const since_ms = Math.max(0, clock() - (lacking?.timestamp_ms ?? clock()));
  const seconds = Math.floor(since_ms / 1000);
  yield {
    check: 'documents',
    state: since_ms > LONG_BEHIND_MS ? 'warn' : 'ok',
    says: `${drive_id}: the documents lag by ${lag} events, the first of them ${seconds} s old.`,
  };
}

/** Every event of the store by stream and type. */
async function* examineStreams(
  { events, progress, signal }: ExamineInput,
  known: ReadonlySet<string>,
  recorded: readonly (RecordedContents | RecordedKeys)[],
  total: number,
): AsyncGenerator<Examined> {
  const types = new Set<string>(eventTypes());
  const strays = new Map<string, number>();
  const heads = new Map<string, number>();
  const unknown = new Map<string, Set<string>>();
  let [seen, after] = [0, -1];
  for (;;) {
    signal?.throwIfAborted();
    const page = await events.readAll(after, PAGE);
    if (page.length === 0) break;
    for (const { stream, type, data, revision } of page) {
      const is_ours = stream === FACTORY_ID || stream.startsWith('drive-');
      if (!is_ours) continue;
      const before = heads.get(stream) ?? revision - 1;
      if (revision !== before + 1 && known.has(stream))
        yield finding(
          'organization',
          'bad',
          `${stream} lacks the events ${before + 1} to ${revision - 1}: ${DAMAGE_HELP}.`,
        );
      heads.set(stream, revision);
      if (stream !== FACTORY_ID && !known.has(stream))
        strays.set(stream, (strays.get(stream) ?? 0) + 1);
      for (const one of recorded) one.note(stream, { revision, type, data });
      if (types.has(type)) continue;
      const of_type = unknown.get(type) ?? new Set();
      unknown.set(type, of_type.add(stream));
    }
    after = page.at(-1)!.position;
    seen += page.length;
    progress?.(seen, Math.max(seen, total));
    await nextTurn();
  }
  for (const [stream, count] of strays)
    yield finding(
      'stray-stream',
      'warn',
      `${stream} (${count} events) is not an organization, since the factory does not name it: it was left ` +
        'by a lost race or a crash, or its import is not at its end.',
    );
  for (const [type, streams] of unknown)
    yield finding(
      'event-types',
      'bad',
      `${[...streams].join(', ')}: events of type ${type} are of a later release; closed until it runs.`,
    );
}

/** Keys that sealed fields need. */
async function* examineKeys(
  { events, side, signal }: ExamineInput,
  drives: DriveState['spawned_drives'],
  keys: RecordedKeys,
): AsyncGenerator<Examined> {
  for (const { id, importing } of drives.values()) {
    signal?.throwIfAborted();
    try {
      if (importing || !(await side.keys.get(id, DRIVE_KEY_ID))) continue;
      const missing = await keys.missing(events, side.keys, id);
      if (missing > 0) yield finding('keys', 'warn', `${id}: ${missingKeysText(missing)}`);
      const left = await keys.notDestroyed(side.keys, id);
      if (left > 0)
        yield finding(
          'keys',
          'warn',
          `${id}: ${left} keys of erased people are stored again, as in a restored backup; the next request to ` +
            'the organization destroys them.',
        );
    } catch (error) {
      if (!(error instanceof KeyDoesNotOpen)) throw error;
      const why = `${id} is not served: ${error.message}. Restore the keys from a backup.`;
      yield finding('keys', 'bad', why);
    }
  }
}

/** Records without bytes, and bytes without a record. */
async function* examineContents(
  { events, contents, clock, signal }: ExamineInput,
  drives: DriveState['spawned_drives'],
  recorded: RecordedContents,
): AsyncGenerator<Examined> {
  if (!contents) return;
  const before_ms = clock() - LEFTOVER_MS;
  for (const { id: drive_id, importing } of drives.values()) {
    signal?.throwIfAborted();
    if (importing) continue;
    const stores = { events, contents };
    const gaps = await contentGaps(stores, drive_id, recorded.of(drive_id), before_ms);
    const missing = [...gaps.missing.keys()];
    if (missing.length > 0)
      yield finding(
        'content',
        'bad',
        `${drive_id}: ${missing.length} contents are missing or have another length: ${some(missing)}. ` +
          '`ops verify --content` names their files.',
      );
    const unreferenced = gaps.unreferenced.map(({ content_id }) => content_id);
    const bytes = gaps.unreferenced.reduce((sum, stored) => sum + stored.bytes, 0);
    if (unreferenced.length > 0)
      yield finding(
        'content',
        'warn',
        `${drive_id}: no event names ${unreferenced.length} stored contents (${bytes} bytes) that are older than ` +
          `24 hours: ${some(unreferenced)}. The service's next sweep deletes them.`,
      );
  }
  for (let after = ''; ;) {
    const page = await contents.drives(after, PAGE);
    for (const drive_id of page)
      if (!drives.has(drive_id))
        yield finding(
          'content',
          'warn',
          `There is stored content of ${drive_id}, which is not an organization here.`,
        );
    if (page.length < PAGE) return;
    after = page.at(-1)!;
  }
}

/** The first ids of a list. */
function some(ids: readonly string[]): string {
  const rest = ids.length - MOST_IDS;
  const named = ids.slice(0, MOST_IDS).join(', ');
  return rest > 0 ? `${named} and ${rest} others` : named;
}

async function* examineReactors({ side }: ExamineInput): AsyncGenerator<Examined> {
  for (const { drive_id, quarantined } of await side.jobs.quarantinedReactors(PAGE))
    yield finding('webhooks', 'warn', `The webhooks of ${drive_id} are paused: ${quarantined}.`);
  const { waiting, quarantined } = await side.jobs.counts();
  if (quarantined > 0)
    yield finding(
      'webhooks',
      'warn',
      `${quarantined} deliveries are quarantined; webhooks/replay sends them again.`,
    );
  yield finding('webhooks', 'ok', `${waiting} deliveries are pending.`);
}
