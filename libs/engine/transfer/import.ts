import { setTimeout as after } from 'node:timers/promises';
import type { CommandDefinition } from '../../domain/foundation/decision.js';
import { factoryCommands } from '../../domain/factory/commands.js';
import {
  AppendOutcomeUnknown,
  type EventStore,
  type NewEvent,
  type StreamHead,
  WrongExpectedRevision,
} from '../../event-store/port.js';
import type { ChainedEvent } from '../../proofs/chain.js';
import { checkedParts, type StreamHeader, type StreamPart } from '../../proofs/stream-file.js';
import { nextExpiry } from '../../domain/directory/items/expiry.js';
import { isRefused } from '../writer/call.js';
import { boxesIn } from '../keys/codec.js';
import type { Drives } from '../drives/drives.js';
import { emptyState, FACTORY_ID, foldOnto, hasEvent, streamOf } from '../fold/fold.js';
import { DEFAULT_LIMITS } from '../drives/limits.js';
import type { FoldedState } from '../snapshots/snapshot.js';
import { verifyStream } from '../verify/verify-drive.js';
import { erasedKeysOf } from './export.js';

const BATCH_EVENTS = 1000;
const APPEND_RETRIES = 5;
const RETRY_MS = 200;

/** The import is refused, before anything is written or at the point of damage. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
  constructor(
    readonly drive_id: string,
    reason: string,
    /** Revision at which file and store diverge, if that is the reason. */
    readonly revision: number | null = null,
  ) {
    super(`${drive_id}: ${reason}`);
  }
}

/** Source of the drives' keys, in the order of their streams. */
export interface KeySource {
  /** Id of the export that the keys belong to, if any. */
  readonly export_id?: string;
  /** Null if it has no keys of that drive. */
  keysOf(
    drive_id: string,
    erased: ReadonlySet<string>,
  ): Promise<ReadonlyMap<string, Uint8Array> | null>;
}

export interface ImportInput {
  /** The target: stores of these drives. In a data folder, no other process may write to them. */
  readonly drives: Drives;
  /** The parts, from the beginning on each call: they are read twice. */
  readonly parts: () => AsyncIterable<StreamPart>;
  readonly keys?: KeySource;
  /** Only these drives; otherwise all, with the factory's stream if it is included. */
  readonly drive_ids?: readonly string[];
  /** True: the factory's stream is skipped, and this installation's factory names each drive. */
  readonly without_factory?: boolean;
  readonly progress?: (phase: ImportPhase, done: number, total: number) => void;
  /** Ends the import between two appends, with the signal's reason; the same call resumes it later. */
  readonly signal?: AbortSignal;
  readonly max_append_bytes?: number;
}

type ImportPhase = 'check' | 'import' | 'verify';

/** Result of one stream. */
export interface ImportedStream {
  readonly drive_id: string;
  readonly events: number;
  /** Events written by this call; 0 if all of them existed. */
  readonly written: number;
  readonly chain_hash: string;
  /** Root over the records at its end; null if nothing had to be done or it is unknown. */
  readonly state_hash: string | null;
  /** Keys that are missing, so that their data reads `[sealed]`. */
  readonly missing_keys: number;
  /** Types of events unknown to this release; the drive stays closed until a release that knows them. */
  readonly unknown_types: readonly string[];
}

/** A stream of the file, compared with the store. */
interface Planned {
  readonly header: StreamHeader;
  readonly head: StreamHead | null;
  readonly is_open: boolean;
}

/**
 * Imports streams in two passes: the first checks everything, internally and against the store, the second writes. A
 * drive is closed until its stream is complete, has been read back, and its webhooks are positioned at its end. After
 * a crash or an abort, another call resumes; after completion it does nothing.
 * @throws ImportRefused; BrokenFile, Malformed and UnusableKeyFile for the input
 */
export async function* importStreams(input: ImportInput): AsyncGenerator<ImportedStream> {
  const plan = await survey(input);
  const has_factory = plan.has(FACTORY_ID);
  const total = [...plan.values()].reduce((sum, { header }) => sum + header.events, 0);
  let importer: StreamImport | null = null;
  let done = 0;
  for await (const part of checkedParts(input.parts())) {
    if (part.kind === 'header') {
      const planned = plan.get(part.header.drive_id);
      importer = planned ? new StreamImport(input, planned, has_factory) : null;
      await importer?.begin();
    } else if (part.kind === 'event' && importer) {
      await importer.add(part.event);
      if (++done % BATCH_EVENTS === 0) input.progress?.('import', done, total);
    } else if (importer) {
      input.progress?.('import', done, total);
      yield await importer.end();
    }
  }
}

/** Checks the whole file, and that every stream of it can be imported. */
async function survey(input: ImportInput): Promise<ReadonlyMap<string, Planned>> {
  const { drives, drive_ids, without_factory, progress, signal } = input;
  const { events } = drives;
  const factory = await factoryState(events);
  const plan = new Map<string, Planned>();
  const named_there = new Set<string>();
  let planned: Planned | null = null;
  let [done, total] = [0, 0];
  for await (const part of checkedParts(input.parts())) {
    if (part.kind === 'header') {
      const { header } = part;
      const { drive_id } = header;
      const is_factory = drive_id === FACTORY_ID;
      checkHeader(header, plan, input);
      total += header.events;
      const is_wanted = drive_ids?.includes(drive_id) ?? !(is_factory && without_factory);
      const known = factory.state.spawned_drives.get(drive_id);
      const head = await events.head(streamOf(drive_id));
      planned = is_wanted ? { header, head, is_open: known?.importing === false } : null;
      if (planned) plan.set(drive_id, planned);
    } else if (part.kind === 'event') {
      if (planned?.head?.revision === part.event.revision) checkSame(planned, part.event);
      if (++done % BATCH_EVENTS === 0) {
        signal?.throwIfAborted();
        progress?.('check', done, total);
      }
      if (!planned) continue;
      if (planned.header.drive_id === FACTORY_ID) noteNamed(named_there, part.event);
      if (part.event.revision === planned.header.events - 1)
        await checkEnd(events, planned, part.event);
    }
  }
  progress?.('check', done, total);
  for (const drive_id of drive_ids ?? [])
    if (!plan.has(drive_id)) throw new ImportRefused(drive_id, 'it is not in the file');
  for (const drive_id of named_there)
    if (!plan.has(drive_id) && !(await events.head(streamOf(drive_id))))
      throw new ImportRefused(
        drive_id,
        'the factory of the file names it, but it is not in the file',
      );
  return plan;
}

const STREAM_ID = /^(DriveID_[\w-]{1,200}|factory)$/;

function checkHeader(
  { drive_id, events, export_id }: StreamHeader,
  plan: ReadonlyMap<string, Planned>,
  { keys }: ImportInput,
): void {
  if (!STREAM_ID.test(drive_id)) throw new ImportRefused(drive_id, 'it is not the id of a drive');
  if (plan.has(drive_id)) throw new ImportRefused(drive_id, 'it is in the file twice');
  if (events === 0) throw new ImportRefused(drive_id, 'it has no events');
  if (keys?.export_id !== undefined && keys.export_id !== export_id)
    throw new ImportRefused(drive_id, 'the keys were written with another export');
}

/** The drives that a factory's events name. */
function noteNamed(named: Set<string>, { type, data }: ChainedEvent): void {
  if (type !== 'DriveSpawned' && type !== 'DriveImported') return;
  named.add((JSON.parse(data) as { drive_id: string }).drive_id);
}

async function factoryState(events: EventStore): Promise<FoldedState> {
  const factory = emptyState(FACTORY_ID);
  await foldOnto(factory, events, { to: Infinity });
  return factory;
}

/** The file's event at the last existing revision must equal the stored one. */
function checkSame({ header, head }: Planned, { revision, hash }: ChainedEvent): void {
  if (Buffer.from(head!.hash).equals(hash)) return;
  throw anotherPast(header.drive_id, revision);
}

async function checkEnd(events: EventStore, planned: Planned, last: ChainedEvent): Promise<void> {
  const { header, head, is_open } = planned;
  const { drive_id } = header;
  const head_revision = head?.revision ?? -1;
  const { revision, hash: event_hash } = last;
  if (head_revision > revision && !(await hasEvent(events, drive_id, { revision, event_hash })))
    throw anotherPast(drive_id, revision);
  if (is_open && head_revision < last.revision)
    throw new ImportRefused(
      drive_id,
      `it is in use here, up to revision ${head_revision}; the file goes on to ${last.revision}, and a drive ` +
        'in use takes no import',
      head_revision,
    );
}

function anotherPast(drive_id: string, revision: number): ImportRefused {
  const hint =
    drive_id === FACTORY_ID
      ? '; single drives can be imported beside it (--drive), or all of them without their gift cards ' +
        '(--without-factory)'
      : '';
  return new ImportRefused(
    drive_id,
    `a stream of this id with a diverging history exists here: revision ${revision} has another hash${hint}`,
    revision,
  );
}

/** Import of one stream. */
class StreamImport {
  private readonly batch: NewEvent[] = [];
  private readonly erased = new Set<string>();
  private readonly used_keys = new Set<string>();
  private batch_bytes = 0;
  private at: number;
  private last: ChainedEvent | null = null;

  constructor(
    private readonly input: ImportInput,
    private readonly planned: Planned,
    /** The file's factory stream names the drives, at its end. */
    private readonly has_factory: boolean,
  ) {
    this.at = planned.head?.revision ?? -1;
  }

  private get drive_id(): string {
    return this.planned.header.drive_id;
  }

  private get is_factory(): boolean {
    return this.drive_id === FACTORY_ID;
  }

  /** Closes the drive, if this installation's factory is to name it. */
  async begin(): Promise<void> {
    if (this.is_factory || this.has_factory || this.planned.is_open) return;
    await this.tellFactory(factoryCommands.BeginImport, { drive_id: this.drive_id });
  }

  async add(event: ChainedEvent): Promise<void> {
    this.last = event;
    for (const { key_id } of boxesIn(event.data)) this.used_keys.add(key_id);
    for (const key_id of erasedKeysOf(event)) this.erased.add(key_id);
    if (event.revision <= (this.planned.head?.revision ?? -1)) return;
    const bytes = Buffer.byteLength(event.metadata) + Buffer.byteLength(event.data);
    const most = this.input.max_append_bytes ?? DEFAULT_LIMITS.batch_max_bytes;
    if (this.batch.length === BATCH_EVENTS || this.batch_bytes + bytes > most) await this.flush();
    this.batch.push(event);
    this.batch_bytes += bytes;
  }

  async end(): Promise<ImportedStream> {
    const { drives, keys, progress, signal } = this.input;
    const { header, head, is_open } = this.planned;
    const { drive_id } = this;
    if (this.batch.length > 0) await this.flush();
    const given = await keys?.keysOf(drive_id, this.erased);
    if (given) await this.storeKeys(given);
    // A restored or older vault may still hold them.
    if (this.erased.size > 0) await drives.side.keys.destroy(drive_id, [...this.erased]);
    const missing_keys = await this.missingKeys();
    const written = header.events - 1 - (head?.revision ?? -1);
    const result = {
      drive_id,
      events: header.events,
      written: Math.max(0, written),
      chain_hash: Buffer.from(this.last!.hash).toString('hex'),
      missing_keys,
    };
    const was_done = written <= 0 && (is_open || this.is_factory);
    if (was_done && !given) return { ...result, state_hash: null, unknown_types: [] };
    const { checked, folded, findings } = await verifyStream({
      drive_id,
      events: drives.events,
      side: drives.side,
      progress(done) {
        signal?.throwIfAborted();
        progress?.('verify', done, header.events);
      },
    });
    const { reason, valid, first_bad_revision } = findings.verification(checked.size);
    if (!valid) throw new ImportRefused(drive_id, `read back: ${reason}`, first_bad_revision);
    const { state, hash } = folded;
    const unknown_types = [...state.unknown_events];
    if (!is_open) await this.open(folded);
    const is_at_end = state.revision === header.events - 1;
    const state_hash = is_at_end && unknown_types.length === 0 ? hash.root() : null;
    return { ...result, state_hash, unknown_types };
  }

  /** Opens the drive: first its webhooks are positioned at the end, so that none delivers earlier events. */
  private async open({ state }: FoldedState): Promise<void> {
    const { drives } = this.input;
    const { drive_id } = this;
    const { revision, hash: event_hash } = this.last!;
    const { expiries, jobs } = drives.side;
    if (state.webhooks.size > 0 && state.revision === revision) {
      await jobs.close(drive_id, Infinity);
      await jobs.open({ drive_id, revision, event_hash }, drives.clock());
    }
    const at_ms = nextExpiry(state, 0, drives.settings.trash_ms);
    if (at_ms !== null)
      await expiries.note([{ drive_id, at_ms, revision, noted_ms: drives.clock() }]);
    if (this.is_factory || this.has_factory) return;
    const chain_hash = Buffer.from(event_hash).toString('hex');
    await this.tellFactory(factoryCommands.EndImport, { drive_id, revision, chain_hash });
  }

  private async storeKeys(given: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const { drive_id } = this;
    const vault = this.input.drives.side.keys;
    const wanted = new Map([...given].filter(([key_id]) => !this.erased.has(key_id)));
    await vault.put(drive_id, wanted);
    for (const [key_id, key] of wanted) {
      const stored = await vault.get(drive_id, key_id);
      if (stored && !Buffer.from(stored).equals(key))
        throw new ImportRefused(drive_id, `another key ${key_id} exists here already`);
    }
  }

  private async missingKeys(): Promise<number> {
    const held = await this.input.drives.side.keys.all(this.drive_id);
    return [...this.used_keys].filter((key_id) => !held.has(key_id) && !this.erased.has(key_id))
      .length;
  }

  /** Appends the pending events; if the outcome is unknown, exactly the same again. */
  private async flush(): Promise<void> {
    const { drives, signal } = this.input;
    signal?.throwIfAborted();
    const batch = this.batch.splice(0);
    this.batch_bytes = 0;
    for (let attempt = 1; ; attempt++)
      try {
        await drives.events.append(streamOf(this.drive_id), this.at, batch);
        break;
      } catch (error) {
        if (error instanceof WrongExpectedRevision)
          throw new ImportRefused(
            this.drive_id,
            `another process writes to its stream, which is at revision ${error.actual_revision}`,
            error.actual_revision,
          );
        if (!(error instanceof AppendOutcomeUnknown) || attempt === APPEND_RETRIES) throw error;
        await after(RETRY_MS);
      }
    this.at += batch.length;
  }

  private async tellFactory<Command>(
    definition: CommandDefinition<Command, unknown>,
    command: Command,
  ): Promise<void> {
    const outcome = await this.input.drives.commands.run(FACTORY_ID, definition, command, {
      credential: { kind: 'factory' },
      correlation_id: `import ${this.planned.header.export_id}`,
      reason: null,
      idempotency: null,
    });
    if (isRefused(outcome))
      throw new ImportRefused(this.drive_id, `the factory refuses it: ${outcome.refusal.refusal}`);
  }
}
