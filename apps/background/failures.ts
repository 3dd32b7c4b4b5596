import { BrokenStream } from '../../libs/engine/fold/fold.js';
import { damageIn } from '../../libs/engine/following/stream-damage.js';
import { TooLarge } from '../../libs/engine/fold/state-bytes.js';
import { reasonOf } from '../../libs/engine/writer/append-batch.js';
import { Unavailable, type UnavailableReason } from '../../libs/engine/writer/call.js';
import { StoreUnavailable } from '../../libs/event-store/port.js';

/** Errors that the asker tells apart, in a form that can be passed to another thread. */
export type Failure =
  | { readonly unavailable: UnavailableReason }
  | { readonly broken_at: number; readonly reason: string }
  | { readonly too_large_bytes: number };

/** What the background thread answers. */
export type Outcome<Answer> = { readonly done: Answer } | Failure;

/** The result of work as an outcome. @throws other errors */
export async function outcomeOf<Answer>(work: Promise<Answer>): Promise<Outcome<Answer>> {
  try {
    return { done: await work };
  } catch (error) {
    if (error instanceof Unavailable) return { unavailable: error.reason };
    if (error instanceof TooLarge) return { too_large_bytes: error.bytes };
    const kind = damageIn('', error)?.kind;
    if (error instanceof BrokenStream && (!kind || kind === 'broken'))
      return { broken_at: error.revision, reason: error.reason };
    if (kind) return { unavailable: 'broken' };
    if (!(error instanceof StoreUnavailable)) throw error;
    return { unavailable: reasonOf(error) };
  }
}

/** The answer of an outcome. @throws its failure */
export function answerOf<Answer>(drive_id: string, outcome: Outcome<Answer>): Answer {
  if ('done' in outcome) return outcome.done;
  if ('unavailable' in outcome) throw new Unavailable(outcome.unavailable);
  if ('too_large_bytes' in outcome) throw new TooLarge(drive_id, outcome.too_large_bytes);
  throw new BrokenStream(drive_id, outcome.broken_at, outcome.reason);
}
