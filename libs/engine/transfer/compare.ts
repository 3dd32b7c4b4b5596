import type { EventStore } from '../../event-store/port.js';
import { emptyState, foldOnto } from '../fold/fold.js';

interface CompareInput {
  readonly drive_id: string;
  readonly source: EventStore;
  readonly target: EventStore;
  /** Events of the stream; its end is always compared. */
  readonly events: number;
  /** Events between two comparisons. */
  readonly every: number;
  readonly progress?: (compared_events: number) => void;
  /** Ends the comparison with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface Comparison {
  readonly drive_id: string;
  /** Points at which the hashes of chain and state were compared. */
  readonly points: number;
  readonly chain_hash: string;
  readonly state_hash: string;
  /** The first point at which they differ; null if there is none. */
  readonly differs_at: number | null;
}

/** Folds a stream in two stores side by side and compares chain_hash and state_hash. */
export async function compareStreams(input: CompareInput): Promise<Comparison> {
  const { drive_id, events, every, progress, signal } = input;
  const sides = [input.source, input.target].map((store) => ({
    store,
    folded: emptyState(drive_id),
    chain_hash: '',
  }));
  let points = 0;
  for (let revision = -1; revision < events - 1;) {
    signal?.throwIfAborted();
    revision = Math.min(revision + every, events - 1);
    for (const side of sides)
      await foldOnto(side.folded, side.store, {
        to: revision,
        touched: (_, { hash }) => (side.chain_hash = Buffer.from(hash).toString('hex')),
      });
    const [one, other] = sides.map(({ folded, chain_hash }) => ({
      revision: folded.state.revision,
      chain_hash,
      state_hash: folded.hash.root(),
    }));
    points++;
    const { chain_hash, state_hash } = one!;
    const is_same =
      one!.revision === revision &&
      other!.revision === revision &&
      chain_hash === other!.chain_hash &&
      state_hash === other!.state_hash;
    if (!is_same) return { drive_id, points, chain_hash, state_hash, differs_at: revision };
    progress?.(revision + 1);
    if (revision === events - 1)
      return { drive_id, points, chain_hash, state_hash, differs_at: null };
  }
  throw new RangeError(`the stream of ${drive_id} has no events to compare`);
}
