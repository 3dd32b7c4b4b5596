/** What is known of a receiver of texts, and how it is disconnected. */
interface Receiving<Receiver> {
  /** Bytes queued but not yet transmitted. */
  readonly bytesOf: (receiver: Receiver) => number;
  readonly cut: (receiver: Receiver) => void;
}

/** Bounds the unread bytes of all receivers together: beyond it, those with the most are disconnected. */
export class UnreadBytes<Receiver> {
  /** Bytes pushed since the last check, beside those unread then: an upper bound of the unread ones. */
  private pushed_bytes = 0;

  constructor(
    private readonly receivers: ReadonlySet<Receiver>,
    private readonly receiving: Receiving<Receiver>,
  ) {}

  /** Those of all receivers. */
  get bytes(): number {
    let bytes = 0;
    for (const receiver of this.receivers) bytes += this.receiving.bytesOf(receiver);
    return bytes;
  }

  /**
   * Counts bytes pushed to a receiver, and enforces the bound.
   * @param left_bytes unread bytes at which disconnecting ends; less than the bound if each text has many receivers
   */
  pushed(bytes: number, most_bytes: number, left_bytes: number = most_bytes): void {
    this.pushed_bytes += bytes;
    if (this.pushed_bytes <= most_bytes) return;
    this.pushed_bytes = this.bytes;
    if (this.pushed_bytes <= most_bytes) return;
    const { bytesOf, cut } = this.receiving;
    for (const receiver of [...this.receivers].sort((a, b) => bytesOf(b) - bytesOf(a))) {
      if (this.pushed_bytes <= left_bytes) return;
      this.pushed_bytes -= bytesOf(receiver);
      cut(receiver);
    }
  }
}
