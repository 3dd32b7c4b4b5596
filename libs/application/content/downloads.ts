import { Inject, Injectable } from '@nestjs/common';
import { ContentMissing } from '../../content-store/port.js';
import type { OpenedRange } from '../../content-store/sealed.js';
import { type OwnContent, refuseGone } from '../../domain/directory/items/asset.js';
import { type Refusal } from '../../domain/kernel/refusal.js';
import { ContentKeyMissing, Contents } from '../../engine/contents/contents.js';
import { Drives } from '../../engine/drives/drives.js';
import { Unavailable } from '../../engine/writer/call.js';

@Injectable()
export class Downloads {
  constructor(
    @Inject(Contents) private readonly contents: Contents,
    @Inject(Drives) private readonly drives: Drives,
  ) {}

  /**
   * A range of a content. The first bytes have been read and authenticated; those that follow may still fail.
   * @throws Unavailable; DamagedContent; ContentMissing if a content that should be there is not
   */
  async read(
    drive_id: string,
    { content_id, sha256 }: OwnContent,
    range: OpenedRange,
  ): Promise<AsyncIterable<Uint8Array> | Refusal> {
    const chunks = this.contents.read({ drive_id, content_id }, range);
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
