import type { Context } from '../domain/drive/decision.js';
import type { ReadDefinition, Visibility } from '../domain/drive/reading.js';
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
/** What one viewer of one family costs beside the texts, in characters. */
const CHARS_PER_VIEW = 1024;

/** The part of a `ReadDefinition` that says what is visible. */
type Seen = Pick<ReadDefinition<never, unknown>, 'visible'>;

/**
 * What one viewer sees of one family: which records, and their JSON texts. Kept as long as nothing it
 * may rest on has changed: the drive's revision, presence, and no window that opened or closed. So a
 * page is a join of texts, and the read model meets the same visibility again and knows it.
 */
class View {
  private readonly texts = new Map<string, string>();
  private known_visibility?: Visibility;
  chars = CHARS_PER_VIEW;

  constructor(readonly stamp: string) {}

  visible(context: Context, seen: Seen): Visibility {
    return (this.known_visibility ??= seen.visible(context));
  }

  textOf<R extends RecordBase>(
    context: Context,
    reads: ReadDefinition<R, unknown>,
    { id, record }: Document,
  ): string {
    const known = this.texts.get(id);
    if (known !== undefined) return known;
    const text = JSON.stringify(reads.present(context, record as R));
    this.texts.set(id, text);
    this.chars += text.length;
    return text;
  }
}

/** The views of a process, bounded by their characters. */
class Views {
  private drives = new WeakMap<object, Map<Seen, Map<string, View>>>();
  private chars = 0;

  /** The records of a family that the caller may see; the same object while nothing changed. */
  visible(drive: Drive, context: Context, seen: Seen): Visibility {
    return this.viewOf(drive, context, seen).visible(context, seen);
  }

  /** The texts of documents as the caller sees them. */
  textsOf<R extends RecordBase>(
    drive: Drive,
    context: Context,
    reads: ReadDefinition<R, unknown>,
    documents: readonly Document[],
  ): string[] {
    const view = this.viewOf(drive, context, reads);
    const before = view.chars;
    const texts = documents.map((document) => view.textOf(context, reads, document));
    this.chars += view.chars - before;
    return texts;
  }

  private viewOf(drive: Drive, context: Context, seen: Seen): View {
    const { state, caller, now } = context;
    const { edges } = state.journal;
    edges.pass(now);
    if (this.chars > MOST_CHARS) {
      this.drives = new WeakMap();
      this.chars = 0;
    }
    let by_definition = this.drives.get(state);
    if (!by_definition) this.drives.set(state, (by_definition = new Map()));
    // One family may be read under several rules; each has views of its own.
    let views = by_definition.get(seen);
    if (!views) by_definition.set(seen, (views = new Map()));
    const stamp = `${state.revision} ${drive.presence.version} ${edges.epoch}`;
    const known = views.get(caller.user_id);
    if (known?.stamp === stamp) return known;
    const view = new View(stamp);
    views.set(caller.user_id, view);
    this.chars += view.chars - (known?.chars ?? 0);
    return view;
  }
}

export const views = new Views();
