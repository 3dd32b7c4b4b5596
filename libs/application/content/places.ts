/** Part of all places that one organization has at most, so that others have some left. */
const SHARE_OF_DRIVE = 3 / 4;

/** All uploads, or all downloads, that this process handles in parallel are in use. */
export class ContentBusy extends Error {
  override readonly name = 'ContentBusy';
}

/** Bounds the uploads, or the downloads, in progress. */
export class Places {
  private count = 0;
  private readonly of_drive = new Map<string, number>();

  constructor(private readonly max: number) {}

  get taken(): number {
    return this.count;
  }

  /** Takes a place for an organization. @returns frees it; to be called once. @throws ContentBusy */
  take(drive_id: string): () => void {
    const { max, of_drive } = this;
    const own = of_drive.get(drive_id) ?? 0;
    if (this.count >= max || own >= Math.max(1, max * SHARE_OF_DRIVE))
      throw new ContentBusy('too many uploads or downloads at one time');
    this.count++;
    of_drive.set(drive_id, own + 1);
    return () => {
      this.count--;
      const left = of_drive.get(drive_id)! - 1;
      if (left > 0) of_drive.set(drive_id, left);
      else of_drive.delete(drive_id);
    };
  }
}
