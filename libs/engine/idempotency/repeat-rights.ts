import { recordOf } from '../../domain/foundation/record-of.js';
import type { Context } from '../../domain/foundation/decision.js';
import { isRefusal, type Refusal, refuse } from '../../domain/kernel/refusal.js';
import { type QueuedCommand, recordNamedBy } from '../writer/call.js';

/** Reason not to repeat an outcome: the answer that the caller would get today. */
interface Doubt {
  /** The answer to the command if it were new; null if it would be accepted. */
  readonly refusal: Refusal | null;
  /** The refusal concerns permissions, not a missing change. */
  readonly is_denial: boolean;
  /** Records of the outcome that the caller may not read today. */
  readonly hidden: readonly string[];
}

/**
 * Reason not to show a caller the outcome of its earlier request; null if there is none.
 * @param data the outcome
 */
export function doubtAbout(
  today: Context,
  { definition, command }: QueuedCommand,
  data: unknown,
): Doubt | null {
  const decision = definition.decide(today, command);
  const refusal = isRefusal(decision) ? decision : null;
  const hidden = recordsIn(data).filter((id) => isHidden(today, id));
  if (!refusal && hidden.length === 0) return null;
  return { refusal, is_denial: isDenial(today, command, refusal), hidden };
}

/**
 * The refusal of a repetition whose caller has since lost a requirement of the outcome: its contact, the permission
 * for the command, or the visibility of a record. Null if it has lost none, or lost it by the request itself.
 * @param after the caller's context just after the request
 */
export function refusalOfRepeat(
  doubt: Doubt,
  today: Context,
  after: Context,
  { definition, command }: QueuedCommand,
): Refusal | null {
  const { refusal, is_denial, hidden } = doubt;
  if (refusal) {
    const was_contact = after.state.contacts.has(after.caller.user_id);
    if (was_contact && !today.state.contacts.has(today.caller.user_id)) return refusal;
  }
  if (is_denial) {
    const decision = definition.decide(after, command);
    if (!isDenial(after, command, isRefusal(decision) ? decision : null)) return refusal;
  }
  const has_lost_sight = hidden.some((id) => recordOf(after.state, id) && !isHidden(after, id));
  return has_lost_sight ? (refusal ?? refuse('forbidden')) : null;
}

const DENIALS: readonly string[] = [
  'forbidden',
  'ceiling',
  'public-grant-too-wide',
  'unauthenticated',
  'token-missing',
  'token-malformed',
];

/** Whether a refusal concerns permissions, including one that hides an existing record. */
function isDenial({ state }: Context, command: unknown, refusal: Refusal | null): boolean {
  if (!refusal) return false;
  if (DENIALS.includes(refusal.refusal)) return true;
  return refusal.refusal.endsWith('-not-found') && recordNamedBy(state, command) !== undefined;
}

/** True for an existing record that the caller may not read. */
function isHidden(context: Context, id: string): boolean {
  const record = recordOf(context.state, id);
  return (
    record !== undefined && context.state.kinds.of(id)?.reads.mayRead(context, record) === false
  );
}

/** Ids of the records in an answer: itself or its members. */
function recordsIn(data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return [];
  return [data, ...Object.values(data)].flatMap((shown: unknown) => {
    const id = (shown as { id?: unknown } | null)?.id;
    return typeof id === 'string' ? [id] : [];
  });
}
