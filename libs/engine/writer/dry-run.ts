import { refuse } from '../../domain/kernel/refusal.js';
import type { Steps } from '../../domain/kernel/steps.js';
import {
  type CommandResult,
  isPending,
  isRefused,
  isRepeated,
  type QueuedCommand,
} from './call.js';
import {
  type Decided,
  decideQueued,
  type DecisionInput,
  type Place,
  placeAfter,
  refused,
  restore,
} from './decide-command.js';
import { showingEvents } from './shown-events.js';

/**
 * Decides the commands of one request on the current state and rolls everything back: the state, and the generated
 * keys. The state must be durable. Events are shown as the caller may see them.
 */
export function* decideDry(
  commands: readonly QueuedCommand[],
  input: DecisionInput,
): Steps<CommandResult[]> {
  const { folded, keyring, before, limits, now } = input;
  const keys = keyring.mark();
  const results: Exclude<Decided, 'no-room'>[] = [];
  // An idempotency key covers exactly one append.
  const is_whole = commands[0]?.request.idempotency !== null;
  let position: Place = before;
  let bytes = 0;
  try {
    for (const asked of commands) {
      const mark = folded.state.undo_log.mark();
      const decided = yield* decideQueued(asked, input, position, limits.batch_max_bytes - bytes);
      if (decided === 'no-room') {
        yield* restore(folded, mark, position);
        const outcome = refused(refuse('too-large'), before.revision);
        if (is_whole) return commands.map(() => outcome);
        results.push({ outcome, events: [], bytes: 0 });
        continue;
      }
      if (is_whole) bytes += decided.bytes;
      if (decided.events.length > 0) position = placeAfter(decided.events, folded);
      results.push(decided);
    }
  } finally {
    yield* restore(folded, 0, before);
    keyring.undoTo(keys);
  }
  const shown = showingEvents(folded.state, commands[0]!.request, now);
  return results.map(({ outcome, events }): CommandResult => {
    if (isRepeated(outcome) || isPending(outcome)) return outcome;
    const { revision } = before;
    if (isRefused(outcome)) return { ...outcome, revision };
    return { ...outcome, revision, dry_run: events.map(shown) };
  });
}
