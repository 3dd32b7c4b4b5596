import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { Drives } from '../drives/drives.js';
import { foldOnto } from '../fold/fold.js';
import type { FoldedState } from '../snapshots/snapshot.js';
import { estimatedBytes } from '../fold/state-bytes.js';
import { Abandoned } from '../tasks/long-query.js';

/** Distance beyond which a state is loaded anew: there may be a snapshot in between. */
const FAR_BEHIND = 25_000;
/** Maximum states that follow streams at a time. */
const MOST_WALKERS = 8;
/** Maximum cached touched keys, of all events together. */
const MOST_KEYS = 200_000;

/** A state that follows a stream, for consecutive queries about its events. */
interface Walker {
  readonly drive_id: string;
  readonly folded: FoldedState;
}

/**
 * Which records each event changed, determined by folding. Readers of a stream share a state that follows it, so each
 * event is folded once for all of them.
 */
export class TouchedEvents {
  /** Least recently used first. */
  private walkers: Walker[] = [];
  /** By drive and revision, oldest first. */
  private readonly known = new Map<string, readonly TouchedKey[]>();
  private keys = 0;
  /** Operations on one drive run in sequence. */
  private readonly last = new Map<string, Promise<unknown>>();

  constructor(private readonly drives: Drives) {}

  /** Records changed by each event from one revision to another, both included. @throws BrokenStream */
  of(drive_id: string, from: number, to: number): Promise<(readonly TouchedKey[])[]> {
    const before = this.last.get(drive_id) ?? Promise.resolve();
    const found = before.then(() => this.find(drive_id, from, to));
    const over = found
      .catch(() => {})
      .then(() => {
        if (this.last.get(drive_id) === over) this.last.delete(drive_id);
      });
    this.last.set(drive_id, over);
    return found;
  }

  private async find(
    drive_id: string,
    from: number,
    to: number,
  ): Promise<(readonly TouchedKey[])[]> {
    const touched: (readonly TouchedKey[])[] = [];
    for (let revision = from; revision <= to; revision++) {
      const known = this.known.get(nameOf(drive_id, revision));
      if (!known) return [...touched, ...(await this.walk(drive_id, revision, to))];
      touched.push(known);
    }
    return touched;
  }

  private async walk(
    drive_id: string,
    from: number,
    to: number,
  ): Promise<(readonly TouchedKey[])[]> {
    const walker = await this.walkerBefore(drive_id, from);
    const touched: (readonly TouchedKey[])[] = [];
    try {
      await foldOnto(walker.folded, this.drives.events, {
        to,
        most_bytes: this.drives.limits.state_cache_bytes,
        touched: (keys, { revision }) => {
          if (revision < from) return;
          touched.push(keys);
          this.remember(nameOf(drive_id, revision), keys);
        },
      });
    } catch (error) {
      // An abandoned fold leaves the state complete.
      if (!(error instanceof Abandoned)) this.drop(walker);
      throw error;
    }
    return touched;
  }

  /** The nearest state before a revision; it belongs to its caller until it is returned. */
  private async walkerBefore(drive_id: string, revision: number): Promise<Walker> {
    const least = revision - FAR_BEHIND;
    let best: Walker | undefined;
    for (const walker of this.walkers) {
      const at = walker.folded.state.revision;
      if (walker.drive_id !== drive_id || at >= revision || at < least) continue;
      if (!best || at > best.folded.state.revision) best = walker;
    }
    if (best) this.drop(best);
    else {
      const { folded } = await this.drives.loader.load(drive_id, { to: revision - 1 });
      best = { drive_id, folded };
    }
    this.walkers.push(best);
    this.evict();
    return best;
  }

  /** Evicts the least recently used, except for the last one: it is about to be used. */
  private evict(): void {
    const most_bytes = this.drives.limits.past_cache_bytes;
    let bytes = this.walkers.reduce((sum, walker) => sum + bytesOf(walker), 0);
    while (this.walkers.length > 1 && (this.walkers.length > MOST_WALKERS || bytes > most_bytes))
      bytes -= bytesOf(this.walkers.shift()!);
  }

  private drop(walker: Walker): void {
    this.walkers = this.walkers.filter((one) => one !== walker);
  }

  private remember(name: string, keys: readonly TouchedKey[]): void {
    if (this.known.has(name)) return;
    this.known.set(name, keys);
    this.keys += 1 + keys.length;
    for (const [oldest, its] of this.known) {
      if (this.keys <= MOST_KEYS || this.known.size === 1) return;
      this.known.delete(oldest);
      this.keys -= 1 + its.length;
    }
  }
}

function bytesOf({ folded }: Walker): number {
  return estimatedBytes(folded.state);
}

function nameOf(drive_id: string, revision: number): string {
  return `${drive_id} ${revision}`;
}
