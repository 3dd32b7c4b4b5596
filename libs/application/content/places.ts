/** All uploads, or all downloads, that this process handles in parallel are in use. */
export class ContentBusy extends Error {
  override readonly name = 'ContentBusy';
}

/**
 * Bounds the uploads, or the downloads, in progress. An organization gets a further place only while it holds fewer than
 * are free: one alone holds half of all, and each that joins leaves half of the rest.
 */
export class Places {
  private count = 0;
  private readonly of_drive = new Map<string, number>();

  constructor(private readonly max: number) {}

  get taken(): number {
    return this.count;
  }

  /** Takes a place for an organization. @returns frees it; to be called once. @throws ContentBusy */
  take(drive_id: string): () => void {
    const { of_drive } = this;
    const own = of_drive.get(drive_id) ?? 0;
    const left = this.max - this.count;
    if (left <= 0 || own >= Math.max(1, left))
      throw new ContentBusy('too many uploads or downloads at one time');
    this.count++;
    of_drive.set(drive_id, own + 1);
    return () => {
      this.count--;
      const rest = of_drive.get(drive_id)! - 1;
      if (rest > 0) of_drive.set(drive_id, rest);
      else of_drive.delete(drive_id);
    };
  }
}
