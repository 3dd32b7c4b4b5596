import { KnownVisibility, type Seen } from '../domain/access/known-visibility.js';
import type { Context } from '../domain/drive/decision.js';
import type { ReadDefinition, Visibility } from '../domain/drive/reading.js';
import type { RecordBase } from '../domain/kernel/table.js';
import type { Document } from '../read-model/port.js';
import type { Sight } from './past-sight.js';

/**
 * An answer that is JSON already; `T` is what it says. A text, also a long one: it goes out in one
 * write with the headers, while buffers of a page's size would bring on full garbage collections.
 */
export class JsonText<T> {
  declare readonly says?: T;

  constructor(
    readonly text: string,
    /** Of a single record. */
    readonly tag?: RecordTag,
  ) {}
}

/** What tells two states of one record's answer apart. */
export interface RecordTag {
  /** Revision at which the record's own fields last changed. */
  readonly revision: number;
  /** Hash of the answer's body, kept by whoever worked it out first. */
  hash?: string;
}

/** Most bytes kept over all drives; beyond it all are forgotten and made anew. */
const MOST_BYTES = 128 * 1024 * 1024;
/** What one viewer of one family costs beside the texts, in bytes. */
const BYTES_PER_VIEW = 1024;
const BYTES_PER_TAG = 128;

/**
 * What one viewer sees of one family: which records, and their JSON texts. The texts are kept as long
 * as nothing they may rest on has changed: the drive's revision, presence, and no window that opened or
 * closed. So a page is a join of texts, and the read model meets the same visibility again and knows it.
 */
class View {
  private readonly texts = new Map<string, string>();
  private readonly tags = new Map<string, RecordTag>();
  private readonly visibility: KnownVisibility;
  private stamp = '';
  bytes = BYTES_PER_VIEW;

  constructor(seen: Seen) {
    this.visibility = new KnownVisibility(seen);
  }

  visible(context: Context): Visibility {
    return this.visibility.visible(context);
  }

  /** Forgets texts and tags unless they have this stamp. */
  stampTexts(stamp: string): void {
    if (this.stamp === stamp) return;
    this.stamp = stamp;
    this.texts.clear();
    this.tags.clear();
    this.bytes = BYTES_PER_VIEW;
  }

  knownText(id: string): string | undefined {
    return this.texts.get(id);
  }

  tagOf(id: string, revision: number): RecordTag {
    let tag = this.tags.get(id);
    if (tag) return tag;
    this.tags.set(id, (tag = { revision }));
    this.bytes += BYTES_PER_TAG;
    return tag;
  }

  textOf<R extends RecordBase>(
    context: Context,
    reads: ReadDefinition<R, unknown>,
    document: Document,
  ): string {
    const known = this.texts.get(document.id);
    if (known !== undefined) return known;
    const made = JSON.stringify(reads.present(context, document.record as R));
    this.texts.set(document.id, made);
    this.bytes += made.length;
    return made;
  }
}

/** The views of a process, bounded by their bytes. */
class Views {
  private drives = new WeakMap<object, Map<Seen, Map<string, View>>>();
  private bytes = 0;

  /** The records of a family that the caller may see; the same object while nothing changed. */
  visible(sight: Sight, context: Context, seen: Seen): Visibility {
    return this.viewOf(sight, context, seen).visible(context);
  }

  /** One document as the caller sees it. */
  textOf<R extends RecordBase>(
    sight: Sight,
    context: Context,
    reads: ReadDefinition<R, unknown>,
    document: Document,
  ): string {
    return this.textsOf(sight, context, reads, [document])[0]!;
  }

  /** One record's text if it has been shown to the caller since anything changed. */
  knownText(sight: Sight, context: Context, seen: Seen, id: string): string | undefined {
    return this.viewOf(sight, context, seen).knownText(id);
  }

  /** The tag of a record's answer to the caller, as long as its text is known. */
  tagOf(sight: Sight, context: Context, seen: Seen, id: string, revision: number): RecordTag {
    const view = this.viewOf(sight, context, seen);
    const before = view.bytes;
    const tag = view.tagOf(id, revision);
    this.bytes += view.bytes - before;
    return tag;
  }

  /** Documents as the caller sees them. */
  textsOf<R extends RecordBase>(
    sight: Sight,
    context: Context,
    reads: ReadDefinition<R, unknown>,
    documents: readonly Document[],
  ): string[] {
    const view = this.viewOf(sight, context, reads);
    const before = view.bytes;
    const texts = documents.map((document) => view.textOf(context, reads, document));
    this.bytes += view.bytes - before;
    return texts;
  }

  private viewOf(sight: Sight, context: Context, seen: Seen): View {
    const { state, caller, now } = context;
    const { edges } = state.journal;
    edges.pass(now);
    if (this.bytes > MOST_BYTES) {
      this.drives = new WeakMap();
      this.bytes = 0;
    }
    let by_definition = this.drives.get(state);
    if (!by_definition) this.drives.set(state, (by_definition = new Map()));
    // One family may be read under several rules; each has views of its own.
    let views = by_definition.get(seen);
    if (!views) by_definition.set(seen, (views = new Map()));
    let view = views.get(caller.user_id);
    if (!view) {
      views.set(caller.user_id, (view = new View(seen)));
      this.bytes += view.bytes;
    }
    const before = view.bytes;
    view.stampTexts(`${state.revision} ${sight.presence_version} ${edges.epoch}`);
    this.bytes += view.bytes - before;
    return view;
  }
}

export const views = new Views();
