import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { StoredEvent } from '../../event-store/port.js';
import type { LoadedState } from '../fold/loader.js';
import { Semaphore } from '../tasks/semaphore.js';
import type { FoldedState } from '../snapshots/snapshot.js';
import {
  admitQuery,
  unlessAbandoned,
  type LongQuery,
  currentQuery,
  runForQuery,
} from '../tasks/long-query.js';

/** A cached past state; it is immutable: folding continues on a copy. */
export interface KeptState {
  readonly folded: FoldedState;
  readonly last_event: StoredEvent;
  /** Records whose own fields the last event changed. */
  readonly last_touched: readonly TouchedKey[];
}

/**
 * Estimated bytes of one record of a cached state: its entries in tables and indexes. States of one fold share the
 * records themselves.
 */
const BYTES_PER_RECORD = 500;
/** Maximum parallel folds of past states. */
const MOST_FOLDS = 4;

/** A fold in progress, and the number of its callers. */
interface Fold {
  readonly state: Promise<LoadedState>;
  waiting: number;
  readonly gone: AbortController;
}

/** Cache of past states within a budget; later states start from them. */
export class PastStates {
  /** By drive and revision, least recently used first. */
  private readonly kept = new Map<string, KeptState>();
  private bytes = 0;
  /** Folds in progress, shared by all callers of the same state. */
  private readonly under_way = new Map<string, Fold>();
  private readonly folds = new Semaphore(MOST_FOLDS);

  constructor(private readonly budget_bytes: number) {}

  /** The state at exactly this revision. */
  at(drive_id: string, revision: number): KeptState | undefined {
    const name = nameOf(drive_id, revision);
    const found = this.kept.get(name);
    if (!found) return undefined;
    this.kept.delete(name);
    this.kept.set(name, found);
    return found;
  }

  /** The latest state before this revision. */
  before(drive_id: string, revision: number): KeptState | undefined {
    let best = -1;
    for (const { folded } of this.kept.values()) {
      const { state } = folded;
      if (state.drive_id === drive_id && state.revision < revision)
        best = Math.max(best, state.revision);
    }
    return this.at(drive_id, best);
  }

  /**
   * Folds a state, or joins the fold in progress; few run in parallel. A fold ends when all its callers have
   * disconnected. @throws Abandoned, and errors of the fold
   */
  async loading(
    drive_id: string,
    revision: number,
    fold: () => Promise<LoadedState>,
  ): Promise<LoadedState> {
    admitQuery();
    const name = nameOf(drive_id, revision);
    const fold_now = this.under_way.get(name) ?? this.start(name, fold);
    fold_now.waiting++;
    try {
      return await unlessAbandoned(fold_now.state);
    } finally {
      if (--fold_now.waiting === 0) {
        if (this.under_way.get(name) === fold_now) this.under_way.delete(name);
        fold_now.gone.abort();
      }
    }
  }

  private start(name: string, fold: () => Promise<LoadedState>): Fold {
    const first = currentQuery();
    const gone = new AbortController();
    // The folded events count towards the limits of the first caller.
    const query: LongQuery = {
      signal: gone.signal,
      begin() {},
      folded: (events) => first?.folded(events),
      end() {},
    };
    const state = runForQuery(query, () => this.folds.run(fold));
    const started = { state, waiting: 0, gone };
    this.under_way.set(name, started);
    return started;
  }

  keep(state: KeptState): void {
    const { drive_id, revision } = state.folded.state;
    this.drop(nameOf(drive_id, revision));
    this.kept.set(nameOf(drive_id, revision), state);
    this.bytes += bytesOf(state);
    for (const oldest of this.kept.keys()) {
      // The newest stays regardless of its size: it is about to be used.
      if (this.bytes <= this.budget_bytes || this.kept.size === 1) return;
      this.drop(oldest);
    }
  }

  /** Removes all states of a drive, so that no opened data remains. */
  forget(drive_id: string): void {
    for (const [name, { folded }] of this.kept)
      if (folded.state.drive_id === drive_id) this.drop(name);
  }

  private drop(name: string): void {
    const state = this.kept.get(name);
    if (!state) return;
    this.kept.delete(name);
    this.bytes -= bytesOf(state);
  }
}

function nameOf(drive_id: string, revision: number): string {
  return `${drive_id} ${revision}`;
}

function bytesOf({ folded }: KeptState): number {
  return folded.state.tables.reduce((sum, { size }) => sum + size, 0) * BYTES_PER_RECORD;
}
