import type {
  Document,
  DocumentSource,
  ListQuery,
  Page,
  Projection,
  ReadModelSchema,
  SearchHit,
  SearchQuery,
  StreamPlace,
} from '../port.js';
import { foldCase } from '../order.js';
import { DEFAULT_TUNING, FamilyIndex } from './family-index.js';
import { listEntries, scoreOf, searchEntries } from './queries.js';

/** Documents indexed in one step: less than a millisecond of work. */
const DOCUMENTS_PER_STEP = 32;

/**
 * An index over the documents of one drive at one revision. A family is indexed on first use, and its texts on the
 * first query for a text; `prepare` does both in advance.
 *
 * Queries are synchronous and expect checked arguments: every answer shows one revision.
 */
export class DriveImage {
  private readonly families = new Map<string, FamilyIndex>();

  /** `source` must not change until the next step. */
  constructor(
    private readonly schema: ReadModelSchema,
    public place: StreamPlace,
    private source: DocumentSource,
    private readonly tuning = DEFAULT_TUNING,
  ) {}

  /** Applies a matching step (see the port), in small steps. Do not query before the last of them. */
  *apply({ revision, event_hash, touched, source }: Projection): Generator<void> {
    this.source = source;
    let taken = 0;
    for (const { family, id } of touched) {
      if (++taken % DOCUMENTS_PER_STEP === 0) yield;
      this.update(family, id);
    }
    // Last, so that a step in which a schema function threw can be repeated.
    this.place = { revision, event_hash };
  }

  /**
   * Indexes every family and its texts. Yields the number of documents indexed so far, after little work each time. Do
   * not apply steps meanwhile.
   */
  *prepare(): Generator<number> {
    let documents = 0;
    for (const family of Object.keys(this.schema)) {
      const index = this.emptyIndex(family);
      index.fields.prepare();
      for (const _ of index.takeAll(this.source.documents(family), true))
        if (++documents % DOCUMENTS_PER_STEP === 0) yield documents;
      this.families.set(family, index);
    }
    yield documents;
  }

  /**
   * Indexes families, and their texts if a query needs them, in small steps, so that the query is cheap. Do not apply
   * steps meanwhile.
   */
  *prepareFor(families: readonly string[], with_texts: boolean): Generator<void> {
    for (const family of families) {
      const index = this.families.get(family) ?? (yield* this.indexed(family, with_texts));
      if (with_texts && !index.has_texts) yield* index.readTexts();
    }
  }

  /** Brings one document of an indexed family up to date. */
  update(family: string, id: string): void {
    const index = this.families.get(family);
    if (index === undefined) return;
    const document = this.source.document(family, id);
    if (document === undefined) index.remove(id);
    else index.put(document);
  }

  /** Drops the index of a family: its next use builds it again. */
  drop(family: string): void {
    this.families.delete(family);
  }

  get revision(): number {
    return this.place.revision;
  }

  get(family: string, id: string): Document | null {
    return this.source.document(family, id) ?? null;
  }

  list(query: ListQuery): Page<Document> {
    const page = listEntries(this.index(query.family), query);
    const items = page.items.map(({ id }) => this.document(query.family, id));
    return { ...page, items, revision: this.revision };
  }

  search(query: SearchQuery): Page<SearchHit<Document>> {
    const families = query.families.map((searched) => ({
      ...searched,
      index: this.index(searched.family),
    }));
    const text = foldCase(query.text);
    const page = searchEntries(families, text, query);
    const items = page.items.map(({ family, entry }) => ({
      document: this.document(family, entry.id),
      score: scoreOf(this.index(family), entry, text),
    }));
    return { ...page, items, revision: this.revision };
  }

  private index(family: string): FamilyIndex {
    const known = this.families.get(family);
    if (known !== undefined) return known;
    const steps = this.indexed(family, false);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
    }
  }

  private *indexed(family: string, with_texts: boolean): Generator<void, FamilyIndex> {
    const index = this.emptyIndex(family);
    yield* index.takeAll(this.source.documents(family), with_texts);
    this.families.set(family, index);
    return index;
  }

  private emptyIndex(family: string): FamilyIndex {
    return new FamilyIndex(this.schema[family]!, (id) => this.document(family, id), this.tuning);
  }

  private document(family: string, id: string): Document {
    const document = this.source.document(family, id);
    // The source is ahead of the applied steps: an error is better than an incomplete page.
    if (document === undefined) throw new Error(`the source no longer has ${family} '${id}'`);
    return document;
  }
}
