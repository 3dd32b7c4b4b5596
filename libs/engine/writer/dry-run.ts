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

/**
 * Decides the commands of one request on the current state and rolls everything back: the state, and the generated
 * keys. The state must be durable.
 */
export function* decideDry(
  commands: readonly QueuedCommand[],
  input: DecisionInput,
): Steps<CommandResult[]> {
  const { folded, keyring, before, limits } = input;
  const keys = keyring.mark();
  let position: Place = before;
  try {
    const results: CommandResult[] = [];
    for (const asked of commands) {
      const mark = folded.state.undo_log.mark();
      const decided = yield* decideQueued(asked, input, position, limits.batch_max_bytes);
      if (decided === 'no-room') {
        yield* restore(folded, mark, position);
        results.push(refused(refuse('too-large'), before.revision));
        continue;
      }
      if (decided.events.length > 0) position = placeAfter(decided.events, folded);
      results.push(dryResult(decided, before));
    }
    return results;
  } finally {
    yield* restore(folded, 0, before);
    keyring.undoTo(keys);
  }
}

function dryResult({ outcome, events }: Exclude<Decided, 'no-room'>, { revision }: Place) {
  if (isRepeated(outcome) || isPending(outcome)) return outcome;
  return isRefused(outcome) ? { ...outcome, revision } : { ...outcome, revision, dry_run: events };
}
