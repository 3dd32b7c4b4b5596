import { type EventStore, type StreamHead } from '../../event-store/port.js';
import type { ChainedEvent } from '../../proofs/chain.js';
import { checkedParts, type StreamHeader, type StreamPart } from '../../proofs/stream-file.js';
import type { Drives } from '../drives/drives.js';
import { emptyState, FACTORY_ID, foldOnto, hasEvent, streamOf } from '../fold/fold.js';
import type { FoldedState } from '../snapshots/snapshot.js';

/** Events between two reports of progress. */
const REPORT_EVENTS = 1000;

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

/** What an import is checked with. */
export interface SurveyInput {
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
}

type ImportPhase = 'check' | 'import' | 'content' | 'verify';

/** A stream of the file, compared with the store. */
export interface Planned {
  readonly header: StreamHeader;
  readonly head: StreamHead | null;
  readonly is_open: boolean;
}

/** Checks the whole file, and that every stream of it can be imported. */
export async function survey(input: SurveyInput): Promise<ReadonlyMap<string, Planned>> {
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
      if (++done % REPORT_EVENTS === 0) {
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
  { keys }: SurveyInput,
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
