/** A receiver of texts that can be disconnected. */
interface Receiver {
  /** Bytes queued but not yet transmitted. */
  readonly unread_bytes: number;
  cut(): void;
}

/** Bounds the unread bytes of all receivers together: beyond it, those with the most are disconnected. */
export class UnreadBytes {
  /** Bytes pushed since the last check, beside those unread then: an upper bound of the unread ones. */
  private pushed_bytes = 0;

  constructor(
    private readonly receivers: ReadonlySet<Receiver>,
    private readonly most_bytes: number,
  ) {}

  /** Counts bytes pushed to a receiver, and enforces the bound. */
  pushed(bytes: number): void {
    this.pushed_bytes += bytes;
    if (this.pushed_bytes <= this.most_bytes) return;
    const unread = [...this.receivers].map((receiver) => ({
      receiver,
      bytes: receiver.unread_bytes,
    }));
    this.pushed_bytes = unread.reduce((sum, one) => sum + one.bytes, 0);
    if (this.pushed_bytes <= this.most_bytes) return;
    for (const one of unread.sort((a, b) => b.bytes - a.bytes)) {
      // Down to half, so that not each further text means another check.
      if (this.pushed_bytes <= this.most_bytes / 2) return;
      this.pushed_bytes -= one.bytes;
      one.receiver.cut();
    }
  }
}
