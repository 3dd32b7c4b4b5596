import type { EventIndex } from '../../event-store/stores.js';
import type { AppendedIndex } from '../read-models/index-feed.js';

/** Fed with the events of a fold, compares them with those of an index. */
export class ComparedIndex implements AppendedIndex {
  /** Those of the largest block of an index. */
  readonly append_events = 65_536;
  private different: number | null = null;

  constructor(private readonly index: EventIndex) {}

  /** Revision of the first event that the index has otherwise; null if there is none so far. */
  get first_difference(): number | null {
    return this.different;
  }

  async append(drive_id: string, text: Uint8Array): Promise<void> {
    this.different ??= await this.index.firstDifference(drive_id, text);
  }
}
