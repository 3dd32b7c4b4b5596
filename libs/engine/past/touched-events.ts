import type { TouchedKey } from '../../domain/kernel/undo-log.js';
import type { Drives } from '../drives/drives.js';

/** Maximum cached touched keys, of all events together. */
const MOST_KEYS = 200_000;

/**
 * Which records each event changed, determined by folding. Readers of a stream share what was found, so each event is
 * folded once for all of them.
 */
export class TouchedEvents {
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
    let revision = from;
    for (; revision <= to; revision++) {
      const known = this.known.get(nameOf(drive_id, revision));
      if (!known) break;
      touched.push(known);
    }
    if (revision <= to)
      await this.drives.past_states.walk(drive_id, revision - 1, to, (event, _, keys) => {
        touched.push(keys);
        this.remember(nameOf(drive_id, event.revision), keys);
      });
    return touched;
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

function nameOf(drive_id: string, revision: number): string {
  return `${drive_id} ${revision}`;
}
