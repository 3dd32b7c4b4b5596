/** Room that an unfinished upload takes from later ones. */
export interface Reservation {
  readonly file_id: string;
  /** Announced, or else received. */
  readonly bytes: number;
  /** True if its length is not announced yet: it may become larger. */
  readonly is_open: boolean;
  readonly expires_at: number;
}

interface StoredReservations {
  /** Ids of the unfinished uploads. */
  ids(): Promise<readonly string[]>;
  find(upload_id: string): Promise<Reservation | undefined>;
  /** True if no other process changes them. */
  readonly is_sole: boolean;
}

/** Reservations of a drive's unfinished uploads, in memory: to read each upload for each request takes long. */
export class Reservations {
  private readonly known = new Map<string, Reservation>();
  private first: Promise<void> | undefined;

  constructor(private readonly stored: StoredReservations) {}

  /**
   * The reservations by upload; some may have expired. Those of this process are read once. With other processes, the
   * ids are read each time, and the new and the open uploads.
   */
  async all(now: number): Promise<ReadonlyMap<string, Reservation>> {
    const { known } = this;
    if (!this.stored.is_sole) await this.read();
    else {
      await (this.first ??= this.read().catch((error: unknown) => {
        this.first = undefined;
        throw error;
      }));
      for (const [upload_id, { expires_at }] of known)
        if (expires_at <= now) known.delete(upload_id);
    }
    return known;
  }

  set(upload_id: string, reservation: Reservation): void {
    this.known.set(upload_id, reservation);
  }

  delete(upload_id: string): void {
    const { known } = this;
    known.delete(upload_id);
    // The first read may have found the upload just before.
    void this.first?.then(
      () => known.delete(upload_id),
      () => {},
    );
  }

  private async read(): Promise<void> {
    const { known, stored } = this;
    const before = [...known.keys()];
    const ids = new Set(await stored.ids());
    for (const upload_id of before) if (!ids.has(upload_id)) known.delete(upload_id);
    for (const upload_id of ids) {
      if (known.get(upload_id)?.is_open === false) continue;
      const found = await stored.find(upload_id);
      if (found) known.set(upload_id, found);
      else known.delete(upload_id);
    }
  }
}
