import type { RecordBase } from '../domain/kernel/record.js';
import { KnownVisibility, type VisibilityRule } from '../domain/access/known-visibility.js';
import type { Context } from '../domain/foundation/decision.js';
import type { ReadDefinition, Visibility } from '../domain/foundation/reading.js';
import type { Document } from '../read-model/port.js';
import type { ReadScope } from './read-scope.js';

/**
 * An answer as JSON text; `T` is what it says. Text rather than bytes: a buffer of a page's size for every answer would
 * cause full garbage collections.
 */
export class JsonText<T> {
  declare readonly says?: T;
  /** What the transport derived from the text; kept as long as the text is. */
  derived: unknown = undefined;

  constructor(
    readonly text: string,
    /** Of a single record: revision at which its own fields last changed. */
    readonly record_revision?: number,
  ) {}
}

/** Where a page is kept as long as nothing changes. */
export interface PageKeeper<Page> {
  /** The page as it was kept, undefined if it was not. */
  readonly kept: Page | undefined;
  /** Keeps the page unless something has changed since it was asked for. */
  keep(page: Page): void;
}

/** Most bytes kept over all drives; beyond it all are forgotten and made anew. */
const MOST_BYTES = 128 * 1024 * 1024;
/** What one viewer of one family costs beside texts and visibility, in bytes. */
const BYTES_PER_VIEW = 1024;
/** What one id of a visibility costs, in bytes; its text is the record's own. */
const BYTES_PER_ID = 24;
/** What one text costs beside its characters, in bytes. */
const BYTES_PER_TEXT = 128;
/** Most pages that one viewer of one family is remembered by; beyond it all are made anew. */
const MOST_PAGES = 256;

/** How a family is shown, as far as what is kept of it rests on that. */
export type ViewRule = VisibilityRule & Pick<ReadDefinition<never, unknown>, 'shows_presence'>;

/**
 * What one viewer sees of one family: which records, and their JSON texts. The texts are kept as long
 * as nothing they may rest on has changed: the drive's revision, presence where it is shown, and no
 * window that opened or closed. So a page is a join of texts, and the read model meets the same visibility again and
 * knows it. Pages are cached as well, since clients often request the same ones.
 */
class View {
  private readonly texts = new Map<string, JsonText<unknown>>();
  /** Texts within lists, for families that present records differently there. */
  private readonly listed = new Map<string, JsonText<unknown>>();
  private readonly pages = new Map<string, JsonText<unknown>>();
  private readonly visibility: KnownVisibility;
  private counted: Visibility = 'all';
  private visibility_bytes = 0;
  private revision = -1;
  private presence_version = -1;
  private epoch = -1;
  /** Goes up whenever texts and pages are forgotten. */
  generation = 0;
  bytes = BYTES_PER_VIEW;

  constructor(rule: ViewRule) {
    this.visibility = new KnownVisibility(rule);
  }

  visible(context: Context): Visibility {
    const visibility = this.visibility.visible(context);
    if (visibility !== this.counted) this.count(visibility);
    return visibility;
  }

  /** Forgets texts and pages unless they are of this revision, presence and epoch of windows. */
  bringTo(revision: number, presence_version: number, epoch: number): void {
    if (
      this.revision === revision &&
      this.presence_version === presence_version &&
      this.epoch === epoch
    )
      return;
    this.revision = revision;
    this.presence_version = presence_version;
    this.epoch = epoch;
    this.generation += 1;
    this.texts.clear();
    this.listed.clear();
    this.pages.clear();
    this.bytes = BYTES_PER_VIEW + this.visibility_bytes;
  }

  known(id: string): JsonText<unknown> | undefined {
    return this.texts.get(id);
  }

  show<R extends RecordBase>(
    context: Context,
    reads: ReadDefinition<R, unknown>,
    document: Document,
  ): JsonText<unknown> {
    return this.made(context, reads.present, this.texts, document);
  }

  /** The same within a list. */
  list<R extends RecordBase>(
    context: Context,
    reads: ReadDefinition<R, unknown>,
    document: Document,
  ): JsonText<unknown> {
    const { present, presentInList } = reads;
    if (presentInList) return this.made(context, presentInList, this.listed, document);
    return this.made(context, present, this.texts, document);
  }

  private made<R extends RecordBase>(
    context: Context,
    present: ReadDefinition<R, unknown>['present'],
    texts: Map<string, JsonText<unknown>>,
    document: Document,
  ): JsonText<unknown> {
    const known = texts.get(document.id);
    if (known !== undefined) return known;
    const text = JSON.stringify(present(context, document.record as R));
    const made = new JsonText(text, document.revision);
    texts.set(document.id, made);
    this.bytes += BYTES_PER_TEXT + text.length;
    return made;
  }

  knownPage(asked: string): JsonText<unknown> | undefined {
    return this.pages.get(asked);
  }

  keepPage(asked: string, page: JsonText<unknown>): void {
    if (this.pages.size >= MOST_PAGES) {
      for (const [other, kept] of this.pages) this.bytes -= bytesOfPage(other, kept);
      this.pages.clear();
    }
    this.pages.set(asked, page);
    this.bytes += bytesOfPage(asked, page);
  }

  private count(visibility: Visibility): void {
    const bytes = bytesOfVisibility(visibility);
    this.bytes += bytes - this.visibility_bytes;
    this.visibility_bytes = bytes;
    this.counted = visibility;
  }
}

function bytesOfVisibility(visibility: Visibility): number {
  if (visibility === 'all') return 0;
  return visibility.reduce((sum, { among }) => sum + among.size, 0) * BYTES_PER_ID;
}

/** The text counts twice: a page that is asked for again is kept as bytes, too. */
function bytesOfPage(asked: string, { text }: JsonText<unknown>): number {
  return BYTES_PER_TEXT + asked.length + 2 * text.length;
}

/** The views of a process, bounded by their bytes. */
class Views {
  private drives = new WeakMap<object, Map<ViewRule, Map<string, View>>>();
  /** Also of drives that are gone, until all is forgotten. */
  private bytes = 0;

  /** The records of a family that the caller may see; the same object while nothing changed. */
  visible(read_scope: ReadScope, context: Context, rule: ViewRule): Visibility {
    const view = this.viewOf(read_scope, context, rule);
    const before = view.bytes;
    const visibility = view.visible(context);
    this.bytes += view.bytes - before;
    return visibility;
  }

  /** A record if it has been shown to the caller since anything changed. */
  known(
    read_scope: ReadScope,
    context: Context,
    rule: ViewRule,
    id: string,
  ): JsonText<unknown> | undefined {
    return this.viewOf(read_scope, context, rule).known(id);
  }

  /** One document as the caller sees it. */
  show<R extends RecordBase>(
    read_scope: ReadScope,
    context: Context,
    reads: ReadDefinition<R, unknown>,
    document: Document,
  ): JsonText<unknown> {
    const view = this.viewOf(read_scope, context, reads);
    const before = view.bytes;
    const shown = view.show(context, reads, document);
    this.bytes += view.bytes - before;
    return shown;
  }

  /** The place of a page of what the caller sees; `asked` says which page of which list. */
  page<Page extends JsonText<unknown>>(
    read_scope: ReadScope,
    context: Context,
    rule: ViewRule,
    asked: string,
  ): PageKeeper<Page> {
    const view = this.viewOf(read_scope, context, rule);
    const { generation } = view;
    return {
      kept: view.knownPage(asked) as Page | undefined,
      keep: (page) => {
        const now = this.viewOf(read_scope, context, rule);
        if (now !== view || view.generation !== generation) return;
        const before = view.bytes;
        view.keepPage(asked, page);
        this.bytes += view.bytes - before;
      },
    };
  }

  /** Documents as the caller sees them within a list. */
  textsOf<R extends RecordBase>(
    read_scope: ReadScope,
    context: Context,
    reads: ReadDefinition<R, unknown>,
    documents: readonly Document[],
  ): string[] {
    const view = this.viewOf(read_scope, context, reads);
    const before = view.bytes;
    const texts = documents.map((document) => view.list(context, reads, document).text);
    this.bytes += view.bytes - before;
    return texts;
  }

  private viewOf(read_scope: ReadScope, context: Context, rule: ViewRule): View {
    const { state, caller, now } = context;
    const { edges } = state.undo_log;
    edges.pass(now);
    if (this.bytes > MOST_BYTES) {
      this.drives = new WeakMap();
      this.bytes = 0;
    }
    let by_rule = this.drives.get(state);
    if (!by_rule) this.drives.set(state, (by_rule = new Map()));
    // One family may be read under several rules; each has views of its own.
    let views = by_rule.get(rule);
    if (!views) by_rule.set(rule, (views = new Map()));
    let view = views.get(caller.user_id);
    if (!view) {
      views.set(caller.user_id, (view = new View(rule)));
      this.bytes += view.bytes;
    }
    const before = view.bytes;
    const presence_version = rule.shows_presence ? read_scope.presence_version : 0;
    view.bringTo(state.revision, presence_version, edges.epoch);
    this.bytes += view.bytes - before;
    return view;
  }
}

export const views = new Views();
