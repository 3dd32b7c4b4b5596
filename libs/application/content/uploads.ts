import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PREFIX, PREVIEW_MARK } from '../../domain/kernel/ids.js';
import { refuse, type Refusal } from '../../domain/kernel/refusal.js';
import { refuseSize } from '../../domain/directory/content/store.js';
import { type Contents, WrongDigest, type Written } from '../../engine/contents/contents.js';
import { Places } from './places.js';
import { ClientSpeed, type SpeedLimits } from './speed.js';

export interface UploadLimits extends SpeedLimits {
  readonly uploads_max: number;
}

/** What is known about a content before it is received. */
export interface Announced {
  /** Maximum size, bytes. */
  readonly room_bytes: number;
  readonly size?: number | undefined;
  /** Maximum size by the client's upload form, bytes. */
  readonly most_bytes?: number | undefined;
  /** Hex. */
  readonly sha256?: string | undefined;
}

/** A content in the store that no event names yet. */
export interface Received extends Written {
  readonly content_id: string;
}

export class UploadTooSlow extends Error {
  override readonly name = 'UploadTooSlow';
}

/** Another request has ended the upload's request, to use the upload itself. */
export class UploadInterrupted extends Error {
  override readonly name = 'UploadInterrupted';
}

/** Ends an upload from within its source. */
export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.refusal);
  }
}

/** Receives the bytes of uploads. Each upload holds a few chunks in memory, whatever its size. */
export class Uploads {
  private readonly places: Places;

  constructor(
    private readonly contents: Contents,
    private readonly limits: UploadLimits,
  ) {
    this.places = new Places(limits.uploads_max);
  }

  /** Period over which the speed of an upload is measured, ms. */
  get slow_ms(): number {
    return this.limits.slow_ms;
  }

  get in_progress(): number {
    return this.places.taken;
  }

  /**
   * Stores a content durably, or refuses it and keeps nothing; a dry run keeps nothing in any case.
   * @throws ContentBusy; UploadTooSlow; ContentStoreFull; errors of the source
   */
  async receive(
    drive_id: string,
    source: AsyncIterable<Uint8Array>,
    announced: Announced,
    dry_run = false,
  ): Promise<Received | Refusal> {
    const { room_bytes, size, sha256 } = announced;
    const too_large = size === undefined ? null : refuseSize(size, room_bytes);
    if (too_large) return too_large;
    return this.inPlace(drive_id, async (speed) => {
      try {
        const checked = this.inTime(checkedSource(source, announced), undefined, speed);
        return await (dry_run ? measured(checked, sha256) : this.keep(drive_id, checked, sha256));
      } catch (error) {
        if (error instanceof Refused) return error.refusal;
        throw error;
      }
    });
  }

  /**
   * Runs a task that receives or stores an upload of an organization. It loses its place while its client is slow.
   * @throws ContentBusy
   */
  async inPlace<T>(drive_id: string, task: (speed: ClientSpeed) => Promise<T>): Promise<T> {
    const speed = new ClientSpeed(this.limits);
    const free = this.places.take(drive_id, speed);
    try {
      return await task(speed);
    } finally {
      free();
    }
  }

  /** Stores a new content durably; refused if it has another SHA-256 than expected. @throws ContentStoreFull */
  async keep(
    drive_id: string,
    source: AsyncIterable<Uint8Array>,
    sha256?: string,
  ): Promise<Received | Refusal> {
    const content_id = this.contents.freshId();
    try {
      const written = await this.contents.write({ drive_id, content_id }, source, sha256);
      return { ...written, content_id };
    } catch (error) {
      if (error instanceof WrongDigest) return mismatch(error.message).refusal;
      throw error;
    }
  }

  /** Deletes a received content that no event names. */
  discard(drive_id: string, { content_id }: Received): Promise<void> {
    return this.contents.delete({ drive_id, content_id });
  }

  /**
   * The same bytes; fails if they come too slowly, or when the request is interrupted.
   * @param waiting speed of the client that has the place
   * @throws UploadTooSlow; UploadInterrupted
   */
  async *inTime(
    source: AsyncIterable<Uint8Array>,
    interruption?: AbortSignal,
    waiting = new ClientSpeed(this.limits),
  ): AsyncGenerator<Uint8Array, void> {
    const chunks = source[Symbol.asyncIterator]();
    let failure: Error | undefined;
    let failNext: ((error: Error) => void) | undefined;
    const fail = (error: Error): void => {
      failure ??= error;
      failNext?.(error);
    };
    // Not a race with one promise for the whole upload: it would hold every chunk until the end.
    const next = (): Promise<IteratorResult<Uint8Array, unknown>> =>
      new Promise((resolve, reject) => {
        failNext = reject;
        if (failure) reject(failure);
        else chunks.next().then(resolve, reject);
      });
    const end = (): void => fail(new UploadTooSlow('the upload is too slow'));
    waiting.tooSlow = end;
    waiting.evict = end;
    const interrupt = (): void => fail(new UploadInterrupted('another request uses the upload'));
    if (interruption?.aborted) interrupt();
    interruption?.addEventListener('abort', interrupt);
    let is_begun = false;
    try {
      for (;;) {
        // Other requests wait for one chunk to be hashed and encrypted, not for all that has arrived (bench row `content`).
        if (is_begun) await nextTurn();
        waiting.start();
        const { done, value } = await next();
        waiting.stop(done ? 0 : value.length);
        if (done) return;
        is_begun = true;
        yield value;
      }
    } finally {
      waiting.stop(0);
      interruption?.removeEventListener('abort', interrupt);
      void chunks.return?.();
    }
  }
}

/** The same bytes; fails if they are not what was announced, before the last of them is passed on. */
async function* checkedSource(
  source: AsyncIterable<Uint8Array>,
  { room_bytes, size, most_bytes = Infinity }: Announced,
): AsyncGenerator<Uint8Array, void> {
  let received = 0;
  for await (const chunk of source) {
    received += chunk.length;
    if (size !== undefined && received > size) throw mismatch(`has more than the ${size} bytes`);
    if (received > most_bytes) throw mismatch(`has more than the ${most_bytes} bytes of the form`);
    const too_large = refuseSize(received, room_bytes);
    if (too_large) throw new Refused(too_large);
    yield chunk;
  }
  if (size !== undefined && received < size) throw mismatch(`has ${received} of the ${size} bytes`);
}

/** What the bytes would be as a stored content. */
async function measured(
  source: AsyncIterable<Uint8Array>,
  expected: string | undefined,
): Promise<Received | Refusal> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of source) {
    hash.update(chunk);
    size += chunk.length;
  }
  const sha256 = hash.digest('hex');
  if (expected !== undefined && expected !== sha256)
    return mismatch(`has the SHA-256 ${sha256}`).refusal;
  return { content_id: `${PREFIX.content}${PREVIEW_MARK}`, sha256, size };
}

/** The error of a content that is not what was announced. */
export function mismatch(reason: string): Refused {
  return new Refused(refuse('content-mismatch', { pointer: '', reason }));
}
