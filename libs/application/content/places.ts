/** All uploads, or all downloads, that this process handles in parallel are in use. */
export class ContentBusy extends Error {
  override readonly name = 'ContentBusy';
}

/** What an upload or download says of its place. */
export interface Holder {
  /** True while its client is too slow for a place that another one needs. */
  readonly isSlow: boolean;
  /** Ends it: another one has its place. */
  evict(): void;
}

interface Place {
  readonly drive_id: string;
  readonly holder: Holder;
}

/**
 * Bounds the uploads, or the downloads, in progress. An organization gets a further place only while it holds fewer than
 * are free: one alone holds half of all, and each that joins leaves half of the rest. Beyond that it gets the place of a
 * slow client of an organization that holds more.
 */
export class Places {
  private readonly held = new Set<Place>();
  private readonly of_drive = new Map<string, number>();

  constructor(private readonly max: number) {}

  get taken(): number {
    return this.held.size;
  }

  /** Takes a place for an organization. @returns frees it @throws ContentBusy */
  take(drive_id: string, holder: Holder): () => void {
    const left = this.max - this.held.size;
    if (left <= 0 || this.heldBy(drive_id) >= Math.max(1, left)) this.takeFromSlow(drive_id);
    const place = { drive_id, holder };
    this.held.add(place);
    this.of_drive.set(drive_id, this.heldBy(drive_id) + 1);
    return () => this.free(place);
  }

  private heldBy(drive_id: string): number {
    return this.of_drive.get(drive_id) ?? 0;
  }

  /** Frees a place of the organization that holds most. @throws ContentBusy */
  private takeFromSlow(drive_id: string): void {
    let most = this.heldBy(drive_id);
    let found: Place | undefined;
    for (const place of this.held) {
      const held = this.heldBy(place.drive_id);
      if (held <= most || !place.holder.isSlow) continue;
      most = held;
      found = place;
    }
    if (!found) throw new ContentBusy('too many uploads or downloads at one time');
    this.free(found);
    found.holder.evict();
  }

  /** Nothing if it was freed before. */
  private free(place: Place): void {
    if (!this.held.delete(place)) return;
    const { drive_id } = place;
    const rest = this.heldBy(drive_id) - 1;
    if (rest > 0) this.of_drive.set(drive_id, rest);
    else this.of_drive.delete(drive_id);
  }
}
