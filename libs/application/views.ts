import { KnownVisibility, type VisibilityRule } from '../domain/access/known-visibility.js';
import type { Context } from '../domain/foundation/decision.js';
import type { ReadDefinition, Visibility } from '../domain/foundation/reading.js';
import type { Document } from '../read-model/port.js';
import type { Presence } from '../engine/read-models/presence.js';
import type { ReadScope } from './read-scope.js';
import { type Changes, NO_CHANGES, ShownChanges } from './shown-changes.js';

/**
 * An answer as JSON text; `T` is its type. It holds text instead of bytes because one page-sized buffer per answer would
 * cause full garbage collections.
 */
export class JsonText<T> {
  declare readonly says?: T;
  /** Set by the transport, and cached with the text: the ETag of its response; its bytes. */
  declare etag?: string;
  declare bytes?: Buffer | 'once sent';

  constructor(
    readonly text: string,
    /** For a single record: the revision at which its own fields last changed. */
    readonly record_revision?: number,
  ) {}
}

/** Cache entry of one page, valid while the drive does not change. */
export interface PageCache<Page> {
  /** Undefined if the page is not cached. */
  readonly cached: Page | undefined;
  /**
   * Caches the page unless the drive has changed since the query began.
   * @param ids of its records, if nothing but the set of visible records and these records decides the page
   */
  store(page: Page, ids?: readonly string[]): void;
}

/** Default of `Views.most_bytes`. */
const MOST_BYTES = 128 * 1024 * 1024;
/** Texts that a viewer who fills the cache loses at a time, a share: single removals from a large map are slow. */
const REMOVED_AT_ONCE = 0.1;
/** Maximum records that are looked for because users were seen; beyond it all texts are removed. */
const MOST_SHOWING = 1000;
/** Fixed size of one viewer's cache for one family, in bytes; texts and visibility are counted separately. */
const BYTES_PER_VIEW = 1024;
/** Size of one id in a visibility, in bytes; the id's text belongs to the record. */
const BYTES_PER_ID = 24;
/** Fixed size of one text, in bytes; its characters are counted separately. */
const BYTES_PER_TEXT = 128;
/** Maximum cached pages of one viewer and family. If it is exceeded, all of them are cleared. */
const MOST_PAGES = 256;

/** The read rules of a family that the cache depends on. */
export type ViewRule = VisibilityRule &
  Pick<
    ReadDefinition<never, unknown>,
    'family' | 'present' | 'presentInList' | 'shows_presence' | 'shown_from'
  >;

/** A cached page, and what it was made from. */
interface CachedPage {
  readonly page: JsonText<unknown>;
  /** Ids of its records; null if any change of the drive may change the page. */
  readonly ids: ReadonlySet<string> | null;
}

/**
 * One viewer's cache for one family: the visible records, and their JSON texts. A change of the drive removes the texts
 * that depend on it (`shown_from`), all of them if the family does not tell; so does a time window that opens or
 * closes. A user who is seen removes the texts that show it (`shows_presence`). A page is then a join of texts, and the
 * read model recognizes the unchanged visibility object. Pages are cached as well, since clients often request the same
 * ones.
 */
class View {
  private readonly texts = new Map<string, JsonText<unknown>>();
  /** Texts in lists, for families that present records differently there. */
  private readonly listed = new Map<string, JsonText<unknown>>();
  private readonly pages = new Map<string, CachedPage>();
  private readonly visibility: KnownVisibility;
  private counted: Visibility = 'all';
  private visibility_bytes = 0;
  private revision = -1;
  private presence_version = -1;
  private epoch = -1;
  private readonly followed: ShownChanges | null;
  /** Increases whenever texts or pages are removed. */
  generation = 0;
  bytes = 0;

  /** @param total of all views */
  constructor(
    private readonly rule: ViewRule,
    private readonly total: { bytes: number },
  ) {
    this.grow(BYTES_PER_VIEW);
    this.visibility = new KnownVisibility(rule);
    this.followed = rule.shown_from ? new ShownChanges(rule.family, rule.shown_from) : null;
  }

  /** Counts bytes, or fewer of them. */
  private grow(bytes: number): void {
    this.bytes += bytes;
    this.total.bytes += bytes;
  }

  /** The records of the family that the caller may see; the same object while nothing changed. */
  visible(context: Context): Visibility {
    const visibility = this.visibility.visible(context);
    if (visibility !== this.counted) this.count(visibility);
    return visibility;
  }

  /** Removes the texts and pages that may differ at this revision, with this presence and epoch of time windows. */
  bringTo(context: Context, presence: Presence | null): void {
    const { revision, undo_log } = context.state;
    const { epoch } = undo_log.edges;
    const presence_version = presence?.version ?? 0;
    const is_same_revision = this.revision === revision;
    const is_same_time = this.epoch === epoch;
    if (is_same_revision && is_same_time && this.presence_version === presence_version) return;
    const seen = presence ? this.showing(context, presence) : NO_CHANGES.ids;
    this.revision = revision;
    this.presence_version = presence_version;
    this.epoch = epoch;
    this.generation += 1;
    const changes = is_same_revision ? NO_CHANGES : (this.followed?.next(context) ?? null);
    if (is_same_time && changes && seen) this.removeChanged(context, changes, seen);
    else this.clear();
  }

  /** Records that show users who were seen since the last call; null if they are unknown or many. */
  private showing(context: Context, presence: Presence): ReadonlySet<string> | null {
    const seen = presence.changedSince(this.presence_version);
    const ids = new Set<string>();
    let found = 0;
    for (const user_id of seen ?? [])
      for (const id of this.rule.shows_presence!(context, user_id)) {
        if (++found > MOST_SHOWING) return null;
        ids.add(id);
      }
    return seen && ids;
  }

  /** @param seen records that show users whose presence has changed */
  private removeChanged(
    context: Context,
    { ids: changed, is_same_set }: Changes,
    seen: ReadonlySet<string>,
  ): void {
    const ids = changed.union(seen);
    for (const id of ids)
      for (const texts of [this.texts, this.listed]) {
        const shown = texts.get(id);
        if (!shown) continue;
        texts.delete(id);
        this.grow(-bytesOfText(shown));
      }
    const { counted } = this;
    const has_same_page = is_same_set && this.visible(context) === counted;
    for (const [page_key, cached] of this.pages)
      if (!has_same_page || !cached.ids || !ids.isDisjointFrom(cached.ids)) {
        this.pages.delete(page_key);
        this.grow(-bytesOfPage(page_key, cached));
      }
  }

  private clear(): void {
    this.texts.clear();
    this.listed.clear();
    this.pages.clear();
    this.grow(BYTES_PER_VIEW + this.visibility_bytes - this.bytes);
  }

  /** Removes the texts that were made first. */
  removeOldest(): void {
    for (const texts of [this.texts, this.listed]) {
      let left = Math.ceil(REMOVED_AT_ONCE * texts.size);
      for (const [id, shown] of texts) {
        if (left-- === 0) break;
        texts.delete(id);
        this.grow(-bytesOfText(shown));
      }
    }
  }

  /** The text of a record if it was shown to the caller since the last change. */
  known(id: string): JsonText<unknown> | undefined {
    return this.texts.get(id);
  }

  /** One document as the caller sees it. */
  show(context: Context, document: Document): JsonText<unknown> {
    return this.textOf(context, this.rule.present, this.texts, document);
  }

  /** One document as the caller sees it within a list. */
  list(context: Context, document: Document): JsonText<unknown> {
    const { presentInList } = this.rule;
    if (!presentInList) return this.show(context, document);
    return this.textOf(context, presentInList, this.listed, document);
  }

  private textOf(
    context: Context,
    present: ViewRule['present'],
    texts: Map<string, JsonText<unknown>>,
    document: Document,
  ): JsonText<unknown> {
    const known = texts.get(document.id);
    if (known !== undefined) return known;
    const text = JSON.stringify(present(context, document.record as never));
    const shown = new JsonText(text, document.revision);
    texts.set(document.id, shown);
    this.grow(bytesOfText(shown));
    return shown;
  }

  cachedPage(page_key: string): JsonText<unknown> | undefined {
    return this.pages.get(page_key)?.page;
  }

  cachePage(page_key: string, page: CachedPage): void {
    if (this.pages.size >= MOST_PAGES) {
      for (const [other, kept] of this.pages) this.grow(-bytesOfPage(other, kept));
      this.pages.clear();
    }
    const other = this.pages.get(page_key);
    if (other) this.grow(-bytesOfPage(page_key, other));
    this.pages.set(page_key, page);
    this.grow(bytesOfPage(page_key, page));
  }

  private count(visibility: Visibility): void {
    const bytes = bytesOfVisibility(visibility);
    this.grow(bytes - this.visibility_bytes);
    this.visibility_bytes = bytes;
    this.counted = visibility;
  }
}

function bytesOfVisibility(visibility: Visibility): number {
  if (visibility === 'all') return 0;
  return visibility.reduce((sum, { among }) => sum + among.size, 0) * BYTES_PER_ID;
}

/** The text counts twice: the transport may cache the bytes of a page that is requested again. */
function bytesOfPage(page_key: string, { page: { text }, ids }: CachedPage): number {
  const bytes_of_ids = BYTES_PER_ID * (ids?.size ?? 0);
  return BYTES_PER_TEXT + page_key.length + 2 * text.length + bytes_of_ids;
}

function bytesOfText({ text }: JsonText<unknown>): number {
  return BYTES_PER_TEXT + text.length;
}

/**
 * The views of a process, bounded by their bytes. A viewer who has filled half of the bound loses the oldest texts; with
 * many small views all of them are removed at once.
 */
export class Views {
  /** Maximum bytes over all drives. */
  most_bytes = MOST_BYTES;
  private drives = new WeakMap<object, Map<ViewRule, Map<string, View>>>();
  /** Includes evicted drives until the whole cache is cleared. */
  private total = { bytes: 0 };

  /** The cache entry of one page of the caller; `page_key` identifies the list and the page. */
  page<Page extends JsonText<unknown>>(
    read_scope: ReadScope,
    context: Context,
    rule: ViewRule,
    page_key: string,
  ): PageCache<Page> {
    const view = this.of(read_scope, context, rule);
    const { generation } = view;
    return {
      cached: view.cachedPage(page_key) as Page | undefined,
      store: (page, ids) => {
        const now = this.of(read_scope, context, rule);
        if (now !== view || view.generation !== generation) return;
        view.cachePage(page_key, { page, ids: ids ? new Set(ids) : null });
      },
    };
  }

  /** The view of the caller, up to date. */
  of(read_scope: ReadScope, context: Context, rule: ViewRule): View {
    const { state, caller, now } = context;
    state.undo_log.edges.pass(now);
    if (this.total.bytes > this.most_bytes)
      this.makeRoom(this.drives.get(state)?.get(rule)?.get(caller.user_id));
    let by_rule = this.drives.get(state);
    if (!by_rule) this.drives.set(state, (by_rule = new Map()));
    // One family may be read under several rules; each rule has its own views.
    let views = by_rule.get(rule);
    if (!views) by_rule.set(rule, (views = new Map()));
    let view = views.get(caller.user_id);
    if (!view) views.set(caller.user_id, (view = new View(rule, this.total)));
    view.bringTo(context, rule.shows_presence ? read_scope.presence : null);
    return view;
  }

  /** Called before a caller's view is used, which may have grown. */
  private makeRoom(view: View | undefined): void {
    if (view && view.bytes > this.most_bytes / 2) view.removeOldest();
    if (this.total.bytes <= this.most_bytes) return;
    this.drives = new WeakMap();
    this.total = { bytes: 0 };
  }
}

export const views = new Views();
