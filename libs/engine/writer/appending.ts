import { atOnce } from '../../domain/kernel/steps.js';
import type { FoldedState } from '../snapshots/snapshot.js';
import { applyAgain, type Batch, rollBack } from './batch.js';

/**
 * Events and records of a batch up to which it is rolled back for readers. For more, that could take longer than the
 * disk, and tables remember only so many changes.
 */
const FEW_CHANGES = 32;

/** A batch that is being appended. */
interface Current {
  readonly folded: FoldedState;
  readonly batch: Batch;
  is_rolled_back: boolean;
}

/**
 * The batch of a drive that is being appended. Readers need not wait for the store: the first one rolls a small batch
 * back, and its events are applied again once they are durable.
 */
export class Appending {
  private current: Current | null = null;

  /** Awaits the append of a batch; afterwards the state is ahead by the batch, unless the append has failed. */
  async during(append: Promise<void>, folded: FoldedState, batch: Batch): Promise<void> {
    const is_small = batch.events.length <= FEW_CHANGES && batch.touched.length <= FEW_CHANGES;
    const current = { folded, batch, is_rolled_back: false };
    this.current = is_small ? current : null;
    try {
      await append;
      if (current.is_rolled_back) applyAgain(folded, batch);
    } finally {
      this.current = null;
    }
  }

  /** Rolls the batch back for readers; false if none is being appended, or a large one. */
  rollBack(): boolean {
    const { current } = this;
    if (!current) return false;
    if (!current.is_rolled_back) atOnce(rollBack(current.folded, current.batch));
    current.is_rolled_back = true;
    return true;
  }
}
