import { newDriveState } from '../../domain/drive/state.js';
import type { DriveState } from '../../domain/foundation/state.js';
import { evolving } from '../../domain/drive/evolve.js';
import { atOnce, type Steps } from '../../domain/kernel/steps.js';
import { type TouchedKey, Unprepared } from '../../domain/kernel/undo-log.js';
import {
  type EventStore,
  type FoldableEvent,
  type FoldablePage,
  ForeignEvent,
  type StoredEvent,
  StreamDeleted,
} from '../../event-store/port.js';
import { decodeData } from '../keys/codec.js';
import { eventHash, genesisHash } from '../proofs/hashing.js';
import { Frontier } from '../proofs/merkle.js';
import { RecentKeys } from '../idempotency/recent-keys.js';
import type { FoldedState } from '../snapshots/snapshot.js';
import { checkBytes } from './state-bytes.js';
import { StateHash } from '../proofs/state-hash.js';
import { isWhole, pagesOf } from './stream-pages.js';
import { Pace } from '../tasks/turns.js';
import { admitQuery, currentQuery } from '../tasks/long-query.js';

/** The stream is invalid: a gap, a wrong first revision, or a mismatching hash. */
export class BrokenStream extends Error {
  override readonly name = 'BrokenStream';
  constructor(
    readonly drive_id: string,
    readonly revision: number,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`stream of ${drive_id} is broken at revision ${revision}: ${reason}`, options);
  }
}

/**
 * The promise's result; a deleted stream is reported as broken from its first event on, a stream with a foreign event
 * from there on.
 * @throws BrokenStream
 */
export async function orBroken<T>(drive_id: string, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    const options = { cause: error };
    if (error instanceof StreamDeleted)
      throw new BrokenStream(drive_id, 0, 'it was deleted in the event store', options);
    if (!(error instanceof ForeignEvent)) throw error;
    const reason = `the event there (${error.type}) was not written by this service`;
    throw new BrokenStream(drive_id, error.revision, reason, options);
  }
}

/** Name of a drive's stream in the event store; the factory's own stream is `factory`. */
export function streamOf(drive_id: string): string {
  return drive_id === FACTORY_ID ? FACTORY_ID : DRIVE_PREFIX + drive_id;
}

/** The drive whose stream this is, null for other streams. */
export function driveOf(stream: string): string | null {
  if (stream === FACTORY_ID) return FACTORY_ID;
  return stream.startsWith(DRIVE_PREFIX) ? stream.slice(DRIVE_PREFIX.length) : null;
}

const DRIVE_PREFIX = 'drive-';

/** Id under which the factory's stream is treated as a drive. */
export const FACTORY_ID = 'factory';

export function emptyState(drive_id: string): FoldedState {
  const state = newDriveState(drive_id);
  return { state, hash: new StateHash(state), frontier: Frontier.empty, keys: new RecentKeys() };
}

/** True if a drive's stream still has this event with the same hash: false after a backup was restored. */
export async function hasEvent(
  events: Pick<EventStore, 'readStream'>,
  drive_id: string,
  { revision, event_hash }: { readonly revision: number; readonly event_hash: Uint8Array },
): Promise<boolean> {
  const [event] = await events.readStream(streamOf(drive_id), revision, 'forward', 1);
  return event !== undefined && Buffer.from(event.hash).equals(event_hash);
}

/** Applies one stored event to a state. The undo log keeps how to roll it back. */
export function applyEvent(state: DriveState, event: FoldableEvent): void {
  const steps = applyingEvent(state, event);
  if (steps) atOnce(steps);
}

/** The same. @returns the steps that are left if the event can change many records; no record is changed yet */
export function applyingEvent(state: DriveState, event: FoldableEvent): Steps | void {
  return evolving(state, {
    revision: event.revision,
    type: event.type,
    event_id: event.event_id,
    timestamp_ms: event.timestamp_ms,
    data: decodeData(event.data),
  });
}

const NO_STEPS: readonly never[] = [];

/**
 * Applies an event to a state, completely or not at all.
 * @returns the steps in which that is done; none once it is
 */
function applyWhole(state: DriveState, event: FoldableEvent): Iterable<unknown> {
  const { revision, timestamp_ms, undo_log } = state;
  const mark = undo_log.mark();
  undo_log.in_turns = true;
  try {
    if (!applyingEvent(state, event)) return NO_STEPS;
    restore(state, mark, { revision, timestamp_ms });
  } catch (error) {
    restore(state, mark, { revision, timestamp_ms });
    if (!(error instanceof Unprepared)) throw error;
  } finally {
    undo_log.in_turns = false;
  }
  return applyingWhole(state, event);
}

/** Prepares what an event needs, and applies it. */
function* applyingWhole(state: DriveState, event: FoldableEvent): Steps {
  const { revision, timestamp_ms, undo_log } = state;
  const mark = undo_log.mark();
  for (let is_applied = false; !is_applied;) {
    let preparation: Iterable<void> = NO_STEPS;
    undo_log.in_turns = true;
    try {
      for (const _ of applyingEvent(state, event) ?? NO_STEPS) {
        undo_log.in_turns = false;
        undo_log.is_midway = true;
        yield;
        undo_log.in_turns = true;
      }
      is_applied = true;
    } catch (error) {
      if (!(error instanceof Unprepared)) throw error;
      preparation = error.steps;
    } finally {
      if (!is_applied) restore(state, mark, { revision, timestamp_ms });
      undo_log.in_turns = false;
      undo_log.is_midway = false;
    }
    yield* preparation;
  }
}

/** Rolls a state back to a mark. */
function restore(
  state: DriveState,
  mark: number,
  { revision, timestamp_ms }: Pick<DriveState, 'revision' | 'timestamp_ms'>,
): void {
  state.undo_log.undoTo(mark);
  state.undo_log.revision = revision;
  state.timestamp_ms = timestamp_ms;
}

/** The part of an event store that folding uses. Several pages may be read in parallel. */
export interface StreamSource extends Pick<
  EventStore,
  'readStream' | 'readFoldable' | 'readPrepared' | 'fold_page'
> {
  /** Called with each page of a fold, in order, before its events are applied. */
  checkPage?(page: FoldablePage): Promise<void>;
}

export interface FoldOptions {
  /** Last revision to fold; Infinity for the end of the stream. */
  readonly to: number;
  /** True: recompute every event's hash from the previous one. */
  readonly verify?: boolean;
  /** Hash of the last event in the state; of an empty state it is not needed. */
  readonly last_hash?: Uint8Array;
  /** Memory limit of the state, bytes (estimated); Infinity if absent. */
  readonly most_bytes?: number | undefined;
  readonly progress?: (events_folded: number) => void;
  /** Called for each event before it is applied. */
  readonly coming?: (event: FoldableEvent) => void;
  /** Called for each applied event, with the records it changed and the mark in the undo log before it. */
  readonly touched?: (keys: readonly TouchedKey[], event: FoldableEvent, mark: number) => void;
  /** Keeps every event undoable, and no frontier; without it the undo log only has the last event. */
  readonly undo_steps?: UndoSteps;
}

/** Notes where in the undo log each event begins. */
export interface UndoSteps {
  /** Called before each event. */
  begin(state: DriveState): void;
  /** Makes the changes of the next event if they were undone before. @returns the steps that are left; else null */
  redo(state: DriveState): Iterable<unknown> | null;
  /** Called after the last event of a page, or after one that was not applied because the fold has failed. */
  end(state: DriveState): void;
}

export interface FoldResult {
  readonly events_folded: number;
  /** The last event folded, null if there was none. */
  readonly last_event: FoldableEvent | null;
  /** Records that the last event changed. */
  readonly last_touched: readonly TouchedKey[];
}

/**
 * Folds a drive's stored events onto a state, page by page, from the revision after the state's. If it fails, the
 * state is complete up to the last event passed to `touched`.
 *
 * The fold yields to the event loop: do not read a shared state before the fold has ended.
 * @throws BrokenStream at a gap, or (verify) at the first mismatching hash; TooLarge; Abandoned
 */
export async function foldOnto(
  folded: FoldedState,
  events: StreamSource,
  options: FoldOptions,
): Promise<FoldResult> {
  const { state } = folded;
  const { undo_log } = state;
  const { undo_steps } = options;
  let mark = undo_log.mark();
  const genesis = genesisHash(state.drive_id);
  const first_hash = options.last_hash ?? genesis;
  const stream = streamOf(state.drive_id);
  let events_folded = 0;
  let last: FoldableEvent | undefined;
  const check = (event: FoldableEvent): void => {
    if (event.revision !== state.revision + 1)
      throw new BrokenStream(state.drive_id, state.revision + 1, 'events are missing');
    if (options.verify) {
      // The store has checked the others.
      if (isWhole(event) && !eventHash(last?.hash ?? first_hash, event).equals(event.hash))
        throw new BrokenStream(state.drive_id, event.revision, 'the hash does not match');
    }
  };
  if (state.revision < options.to) admitQuery();
  const pace = new Pace();
  const pause = async (): Promise<void> => {
    checkBytes(state, options.most_bytes);
    await pace.turn();
  };
  /** Counts the applied events of a page, and adds them to the frontier. */
  const settle = (page: FoldablePage, applied: number): void => {
    currentQuery()?.folded(applied);
    if (undo_steps) return;
    const { frontier } = folded;
    const { is_hashed } = frontier;
    if (is_hashed && page.subtrees && applied === page.length) {
      folded.frontier = frontier.appendSubtrees(page.subtrees);
      return;
    }
    const grown = frontier.append(page.slice(0, applied).map(({ hash }) => hash));
    // Of a writer's state many leaves may be pending, which must not be hashed in one go.
    folded.frontier = is_hashed ? grown.hashPending() : grown;
  };
  const parts = { subtrees: !undo_steps, ...(options.verify && { genesis }) };
  const read = async (from: number, limit: number): Promise<FoldablePage> =>
    (await events.readPrepared?.(stream, from, limit, parts)) ??
    (options.verify
      ? events.readStream(stream, from, 'forward', limit)
      : events.readFoldable(stream, from, limit));
  const first = state.revision + 1;
  const pages = first > options.to ? [] : pagesOf(read, first, options.to, events.fold_page);
  for await (const page of pages) {
    await events.checkPage?.(page);
    let applied = 0;
    try {
      for (const event of page) {
        if (pace.is_due) await pause();
        check(event);
        options.coming?.(event);
        if (undo_steps) undo_steps.begin(state);
        else undo_log.forget();
        mark = undo_log.mark();
        for (const _ of undo_steps?.redo(state) ?? applyWhole(state, event))
          if (pace.is_due) await pause();
        events_folded++;
        applied++;
        options.touched?.(undo_log.touchedSince(mark), event, mark);
        last = event;
      }
    } finally {
      undo_steps?.end(state);
      settle(page, applied);
    }
    options.progress?.(events_folded);
    checkBytes(state, options.most_bytes);
  }
  const last_touched = events_folded > 0 ? undo_log.touchedSince(mark) : [];
  if (!undo_steps) undo_log.forget();
  return { events_folded, last_event: last ?? null, last_touched };
}

export function inMemory(events: readonly StoredEvent[]): StreamSource {
  const first = events[0]!.revision;
  const read = async (from: number, limit: number): Promise<readonly StoredEvent[]> =>
    events.slice(from - first, from - first + limit);
  return {
    readStream: (_, from, __, limit) => read(from, limit),
    readFoldable: (_, from, limit) => read(from, limit),
  };
}

/** The same events; each page of a fold is passed on before its events are applied. */
export function checking(
  source: StreamSource,
  checkPage: NonNullable<StreamSource['checkPage']>,
): StreamSource {
  return {
    ...(source.fold_page !== undefined && { fold_page: source.fold_page }),
    readStream: (...given) => source.readStream(...given),
    readFoldable: (...given) => source.readFoldable(...given),
    readPrepared: async (...given) => (await source.readPrepared?.(...given)) ?? null,
    checkPage,
  };
}
