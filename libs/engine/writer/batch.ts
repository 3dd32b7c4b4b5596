import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import { refuse } from '../../domain/kernel/refusal.js';
import type { Steps } from '../../domain/kernel/steps.js';
import type { NewEvent } from '../../event-store/port.js';
import { applyEvent } from '../fold/fold.js';
import type { FoldedState } from '../snapshots/snapshot.js';
import type { Call, CommandResult, DecidedEvent } from './call.js';
import {
  type Decided,
  decideQueued,
  type DecisionInput,
  type Place,
  placeAfter,
  refused,
  restore,
  workOf,
  type WriterPosition,
} from './decide-command.js';

/** Commands decided together; their events go into one append. */
export interface Batch {
  readonly before: WriterPosition;
  readonly after: WriterPosition;
  readonly events: readonly NewEvent[];
  /** Bytes of the bodies and metadata of the events. */
  readonly bytes: number;
  /** The events, each with the records it changed. */
  readonly decided: readonly DecidedEvent[];
  /** Answers, returned once the events are durable. */
  readonly answers: readonly { call: Call; outcome: CommandResult }[];
  /** The records that the events changed; one that several events changed is there for each. */
  readonly touched: readonly TouchedKey[];
}

/** Position of a request's first command in the current batch. */
interface RequestStart {
  readonly mark: number;
  readonly keys: number;
  readonly position: Place;
  readonly taken: number;
  readonly events: number;
  readonly answers: number;
  readonly bytes: number;
}

/**
 * Decides queued commands one after another on the working state, as many as fit one append, and removes them from
 * the queue. Afterwards the state is ahead of the store by the batch's events. There are steps only where an event
 * changes many records; commands may join the queue between them.
 */
export function* decideBatch(queue: Call[], input: DecisionInput): Steps<Batch> {
  const { folded, keyring, limits, before } = input;
  const { undo_log } = folded.state;
  const events: DecidedEvent[] = [];
  const answers: { call: Call; outcome: CommandResult }[] = [];
  let position: Place = before;
  let bytes = 0;
  let taken = 0;
  let start: RequestStart | null = null;
  for (; taken < queue.length; taken++) {
    const call = queue[taken]!;
    const is_whole = call.request.idempotency !== null;
    const begins = call.request !== queue[taken - 1]?.request;
    const end = is_whole ? endOfRequest(queue, taken) : taken + 1;
    const is_full = end > limits.batch_max_commands || workOf(input) > limits.batch_work;
    if (taken > 0 && (begins || !is_whole) && is_full) break;
    if (begins) {
      start = {
        mark: undo_log.mark(),
        keys: keyring.mark(),
        position,
        taken,
        events: events.length,
        answers: answers.length,
        bytes,
      };
    }
    // Only after the last command: the commands of a request do not count as repetitions of its first.
    const noteKey = (): void => {
      if (!is_whole || taken + 1 < end) return;
      for (const { event } of events.slice(start!.events)) folded.keys.note(event);
    };
    const mark = undo_log.mark();
    const keys = keyring.mark();
    let decided: Decided;
    try {
      decided = yield* decideQueued(call, input, position, limits.batch_max_bytes - bytes);
    } catch (error) {
      yield* restore(folded, mark, position);
      keyring.undoTo(keys);
      call.fail(error);
      noteKey();
      continue;
    }
    if (decided === 'no-room') {
      yield* restore(folded, mark, position);
      keyring.undoTo(is_whole ? start!.keys : keys);
      if (is_whole) {
        // An idempotency key covers exactly one append, so none of the request is in this one.
        yield* restore(folded, start!.mark, start!.position);
        ({ position, taken, bytes } = start!);
        events.length = start!.events;
        answers.length = start!.answers;
      }
      if (events.length > 0) break;
      const outcome = refused(refuse('too-large'), position.revision);
      for (const unfit of queue.slice(taken, end)) answers.push({ call: unfit, outcome });
      taken = end - 1;
      continue;
    }
    answers.push({ call, outcome: decided.outcome });
    if (decided.events.length === 0) {
      // Keys of commands that were rolled back would be stored with the batch.
      keyring.undoTo(keys);
    } else {
      events.push(...decided.events);
      bytes += decided.bytes;
      position = placeAfter(decided.events, folded);
    }
    noteKey();
  }
  queue.splice(0, taken);
  const frontier = before.frontier.append(events.map(({ event }) => event.hash));
  folded.frontier = frontier;
  return {
    before,
    after: { ...position, frontier },
    events: events.map(({ event }) => event),
    bytes,
    decided: events,
    answers,
    touched: events.flatMap(({ touched }) => touched),
  };
}

/** Rolls back a batch that did not become durable. */
export function* rollBack(folded: FoldedState, { before }: Batch): Steps {
  yield* restore(folded, 0, before);
  folded.frontier = before.frontier;
}

/** Applies a rolled back batch that has become durable. */
export function applyAgain(folded: FoldedState, { decided, after }: Batch): void {
  for (const { event } of decided) {
    applyEvent(folded.state, event);
    folded.keys.note(event);
  }
  folded.frontier = after.frontier;
}

/** Index after the last command of the request that the command at `from` belongs to. */
function endOfRequest(queue: readonly Call[], from: number): number {
  let end = from + 1;
  while (queue[end]?.request === queue[from]!.request) end++;
  return end;
}
