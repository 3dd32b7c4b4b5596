import { Worker } from 'node:worker_threads';

import { Thread } from '../../../threads/thread.js';
import type { FoldableEvent, FoldablePage } from '../../port.js';
import type { PageColumns, PageMetadata, PageQuestion, PageThreadData } from './page-thread.js';

const PROGRAM = new URL('page-thread.js', import.meta.url);
const HASH_BYTES = 32;

/** Reads pages of long folds in a thread with a connection of its own. */
export class PageReader {
  private readonly thread: Thread;
  private started: Promise<void> | undefined;
  private is_running = false;

  constructor(path: string) {
    const workerData: PageThreadData = { path };
    this.thread = new Thread(
      'the reading thread',
      () => new Worker(PROGRAM, { workerData, name: 'sqlite-pages' }),
    );
  }

  /**
   * Null if the caller must read itself: the thread is being started or has ended, it cannot read the file, or a hash
   * does not match.
   */
  async read(
    question: PageQuestion,
    typeOf: (type_id: number) => string,
  ): Promise<FoldablePage | null> {
    if (!this.is_running) {
      this.start();
      return null;
    }
    try {
      const columns = await this.thread.ask<PageColumns | null>(question);
      return columns && pageOf(columns, typeOf);
    } catch {
      // A reader that fails again costs one question each time.
      this.is_running = false;
      return null;
    }
  }

  async close(): Promise<void> {
    await this.started;
    await this.thread.close({ closes: true }).catch(() => this.thread.end());
  }

  private start(): void {
    if (this.started) return;
    const nothing: PageQuestion = { stream: '', from: 0, limit: 0, up_to: 0 };
    this.started = this.thread
      .ask(nothing)
      .then(
        () => void (this.is_running = true),
        () => {},
      )
      .finally(() => (this.started = undefined));
  }
}

function pageOf(
  { event_ids, bodies, metadata, numbers, hashes, subtrees }: PageColumns,
  typeOf: (type_id: number) => string,
): FoldablePage {
  const page = bodies.map((data, nth) => {
    const at = 3 * nth;
    const type = typeOf(numbers[at + 1]!);
    const time = numbers[at + 2]!;
    const [revision, event_id] = [numbers[at]!, event_ids[nth]!];
    return new PageEvent(revision, event_id, type, time, data, metadata, hashes, nth);
  });
  return subtrees ? Object.assign(page, { subtrees }) : page;
}

/** An event of a page; its hash is copied on demand, its metadata are not copied. */
class PageEvent implements FoldableEvent {
  constructor(
    readonly revision: number,
    readonly event_id: string,
    readonly type: string,
    readonly timestamp_ms: number,
    readonly data: string,
    private readonly all_metadata: PageMetadata | undefined,
    private readonly hashes: Uint8Array,
    private readonly nth: number,
  ) {}

  /** Undefined unless asked for. */
  get metadata(): Uint8Array | undefined {
    const { all_metadata, nth } = this;
    if (!all_metadata) return undefined;
    const { bytes, ends } = all_metadata;
    return bytes.subarray(nth === 0 ? 0 : ends[nth - 1], ends[nth]);
  }

  get hash(): Buffer {
    const at = HASH_BYTES * this.nth;
    return Buffer.from(this.hashes.subarray(at, at + HASH_BYTES));
  }
}
