import type {
  Document,
  DocumentSource,
  ListQuery,
  Page,
  ReadModelSchema,
  SearchHit,
  SearchQuery,
} from '../port.js';
import { foldCase } from '../order.js';
import { DEFAULT_TUNING, FamilyIndex } from './family-index.js';
import { listEntries, scoreOf, searchEntries } from './queries.js';

/**
 * An index over the documents of one drive at one revision.
 *
 * Queries are synchronous: they expect checked arguments, and that their families have been added. Every answer shows
 * one revision.
 */
export class DriveImage {
  private readonly families = new Map<string, FamilyIndex>();

  /** Changes of `source` must be passed to `update` before the next query. */
  constructor(
    private readonly schema: ReadModelSchema,
    public revision: number,
    private readonly source: DocumentSource,
    private readonly tuning = DEFAULT_TUNING,
  ) {}

  /** True if a query of the family, and of its texts, has nothing to index. */
  has(family: string, with_texts: boolean): boolean {
    const index = this.families.get(family);
    return index !== undefined && (!with_texts || index.has_texts);
  }

  emptyIndex(family: string): FamilyIndex {
    const find = (id: string): Document | undefined => this.source.document(family, id);
    return new FamilyIndex(this.schema[family]!, find, this.tuning);
  }

  add(family: string, index: FamilyIndex): void {
    this.families.set(family, index);
  }

  /** Reads the texts of an indexed family, in small steps; entries may be updated meanwhile. */
  *readTexts(family: string): Generator<void> {
    const index = this.families.get(family);
    if (index && !index.has_texts) yield* index.readTexts();
  }

  /** Brings one document of an indexed family up to date. */
  update(family: string, id: string): void {
    const index = this.families.get(family);
    if (index !== undefined) this.bringUp(index, family, id);
  }

  /** Brings one document of an index up to date. */
  bringUp(index: FamilyIndex, family: string, id: string): void {
    const document = this.source.document(family, id);
    if (document === undefined) index.remove(id);
    else index.put(document);
  }

  /** Drops the index of a family: its next use builds it again. */
  drop(family: string): void {
    this.families.delete(family);
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
    const { positionOf, ...page } = searchEntries(families, text, query);
    const items = page.items.map((ranked) => ({
      document: this.document(ranked.family, ranked.entry.id),
      score: scoreOf(this.index(ranked.family), ranked.entry, text),
      position: positionOf(ranked),
    }));
    return { ...page, items, revision: this.revision };
  }

  private index(family: string): FamilyIndex {
    return this.families.get(family)!;
  }

  private document(family: string, id: string): Document {
    const document = this.source.document(family, id);
    // The source is ahead of the updates: an error is better than an incomplete page.
    if (document === undefined) throw new Error(`the source no longer has ${family} '${id}'`);
    return document;
  }
}
