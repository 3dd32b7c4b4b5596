import { ContentMissing } from '../../content-store/port.js';
import type { OpenedRange } from '../../content-store/sealed.js';
import { type OwnContent, refuseGone } from '../../domain/directory/items/asset.js';
import { type Refusal } from '../../domain/kernel/refusal.js';
import { ContentKeyMissing, type Contents } from '../../engine/contents/contents.js';
import type { Drives } from '../../engine/drives/drives.js';
import { Unavailable } from '../../engine/writer/call.js';
import { Places } from './places.js';
import { ClientSpeed, type SpeedLimits } from './speed.js';

/** Sends the bytes of contents. Each download holds a few chunks in memory, whatever its size. */
export class Downloads {
  private readonly places: Places;

  constructor(
    private readonly contents: Contents,
    private readonly drives: Drives,
    downloads_max: number,
    private readonly limits: SpeedLimits,
  ) {
    this.places = new Places(downloads_max);
  }

  get in_progress(): number {
    return this.places.taken;
  }

  /**
   * A range of a content. The first bytes have been read and authenticated; those that follow may still fail.
   * The download is in progress until all bytes are read, or the iterator is closed.
   * @param evict called if the client reads too slowly and another download needs the place
   * @throws ContentBusy; Unavailable; DamagedContent; ContentMissing if a content that should be there is not
   */
  async read(
    drive_id: string,
    { content_id, sha256 }: OwnContent,
    range: OpenedRange,
    evict: () => void = () => {},
  ): Promise<AsyncIterable<Uint8Array> | Refusal> {
    const speed = new ClientSpeed(this.limits);
    speed.evict = evict;
    const free = this.places.take(drive_id, speed);
    const chunks = inPlace(this.contents.read({ drive_id, content_id }, range), speed, free);
    try {
      const first = await chunks.next();
      return first.done ? chunks : startingWith(first.value, chunks);
    } catch (error) {
      if (error instanceof ContentKeyMissing) throw new Unavailable('sealed');
      if (!(error instanceof ContentMissing)) throw error;
      // A past version may name bytes that have been deleted since.
      const { state } = await this.drives.open(drive_id);
      if (state.contents.has(content_id)) throw error;
      return refuseGone(sha256);
    }
  }
}

/** Frees the place of a download once its chunks end, fail or are closed. Its first step must be taken. */
async function* inPlace(
  chunks: AsyncIterable<Uint8Array>,
  speed: ClientSpeed,
  free: () => void,
): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const chunk of chunks) {
      speed.start();
      yield chunk;
      speed.stop(chunk.length);
    }
  } finally {
    speed.stop(0);
    free();
  }
}

/** No generator: if one is closed before its first step, it does not close `rest`, whose file would stay open. */
function startingWith(
  first: Uint8Array,
  rest: AsyncGenerator<Uint8Array, void>,
): AsyncIterableIterator<Uint8Array, void> {
  let is_begun = false;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (is_begun) return rest.next();
      is_begun = true;
      return { done: false, value: first };
    },
    return: () => rest.return(),
  };
}
