import { type CommandResult, isPending, isRefused, isRepeated } from '../writer/call.js';

/** `conflict`: another process had written first, so the commands are decided again. */
type CommitOutcome = 'stored' | 'conflict' | 'failed';

/** `repeated`: the request was completed before under its idempotency key. */
type DecisionOutcome = 'accepted' | 'refused' | 'repeated';

/** Batch as far as observers see it. */
interface CommittedBatch {
  readonly events: { readonly length: number };
  /** Bytes of the bodies and metadata of its events. */
  readonly bytes: number;
}

/** Observes the writes of a process, for metrics. Must not throw. */
export interface WriteObserver {
  /** Called after each batch: `duration_ms` covers its keys and jobs, which are stored first, and all its attempts. */
  committed(outcome: CommitOutcome, batch: CommittedBatch, duration_ms: number): void;
  /** Called for each command that was decided and answered. */
  decided(outcome: DecisionOutcome): void;
}

export const NO_OBSERVER: WriteObserver = { committed() {}, decided() {} };

/** Null if the command was not decided. */
export function decisionOutcome(result: CommandResult): DecisionOutcome | null {
  if (isPending(result)) return null;
  if (isRepeated(result)) return 'repeated';
  return isRefused(result) ? 'refused' : 'accepted';
}
