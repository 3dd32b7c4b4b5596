import type { Context } from '../domain/drive/decision.js';
import type { ReadDefinition } from '../domain/drive/reading.js';
import type { RecordBase } from '../domain/kernel/table.js';
import type { Drive } from '../engine/drive.js';
import type { Document } from '../read-model/port.js';

/** An answer that is JSON text already; `T` is what the text says. */
export class JsonText<T> {
  declare readonly says?: T;

  constructor(readonly text: string) {}
}

/** Most characters kept over all drives; beyond it all are forgotten and made anew. */
const MOST_CHARS = 128 * 1024 * 1024;
/** What one viewer of one family costs beside the texts. */
const CHARS_PER_VIEWER = 1024;

/** Texts of one family as one viewer sees them. */
interface Viewed {
  /** Everything that a presentation may rest on, as it was when the texts were made. */
  readonly stamp: string;
  readonly by_id: Map<string, string>;
}

/**
 * JSON texts of records as shown to one viewer, kept as long as nothing they may rest on has changed:
 * the drive's revision, presence, and no window that opened or closed. A page is then a join of texts.
 */
export class RecordTexts {
  private drives = new WeakMap<object, Map<string, Viewed>>();
  private chars = 0;

  /** The texts of documents as the caller of `context` sees them. */
  textsOf<R extends RecordBase, View>(
    drive: Drive,
    context: Context,
    reads: ReadDefinition<R, View>,
    documents: readonly Document[],
  ): string[] {
    const { by_id } = this.viewed(drive, context, reads.family);
    return documents.map(({ id, record }) => {
      let text = by_id.get(id);
      if (text === undefined) {
        text = JSON.stringify(reads.present(context, record as R));
        by_id.set(id, text);
        this.chars += text.length;
      }
      return text;
    });
  }

  private viewed(drive: Drive, context: Context, family: string): Viewed {
    const { state, caller, now } = context;
    const { edges } = state.journal;
    edges.pass(now);
    if (this.chars > MOST_CHARS) {
      this.drives = new WeakMap();
      this.chars = 0;
    }
    let viewers = this.drives.get(state);
    if (!viewers) this.drives.set(state, (viewers = new Map()));
    const viewer = `${family} ${caller.user_id}`;
    const stamp = `${state.revision} ${drive.presence.version} ${edges.epoch}`;
    let viewed = viewers.get(viewer);
    if (viewed?.stamp === stamp) return viewed;
    viewed = { stamp, by_id: new Map() };
    viewers.set(viewer, viewed);
    this.chars += CHARS_PER_VIEWER;
    return viewed;
  }
}

/** The texts of this process. */
export const record_texts = new RecordTexts();
