import { checkListQuery, checkSearchQuery } from '../checks.js';
import type { Document, DocumentKey, DocumentSource, ReadModel, ReadModelSchema } from '../port.js';
import { DriveImage } from './drive-image.js';

/** Reads do not show their position. */
const NO_HASH = new Uint8Array();

/** The queries of a read model. */
export type Reads<Item extends DocumentKey = Document> = Pick<ReadModel<Item>, 'list' | 'search'>;

/** Runs small steps, cooperatively or not. */
type Steps = (steps: Iterable<unknown>) => Promise<void>;

/**
 * The queries of one immutable state, as `MemoryReadModel` would answer them. A family is indexed on first use,
 * cooperatively if possible.
 */
export class StateReads implements Reads {
  private readonly image: DriveImage;
  private readonly made = new Set<string>();
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly schema: ReadModelSchema,
    revision: number,
    source: DocumentSource,
    private readonly inTurns?: Steps,
  ) {
    this.image = new DriveImage(schema, { revision, event_hash: NO_HASH }, source);
  }

  async list(...[, query]: Parameters<Reads['list']>): ReturnType<Reads['list']> {
    checkListQuery(this.schema, query);
    await this.prepared([query.family], query.filter?.text ? 'filter' : null);
    return this.image.list(query);
  }

  async search(...[, query]: Parameters<Reads['search']>): ReturnType<Reads['search']> {
    checkSearchQuery(this.schema, query);
    const families = query.families.map(({ family }) => family);
    await this.prepared(families, 'search');
    return this.image.search(query);
  }

  /** In sequence, so that each preparation uses the results of the previous one. */
  private prepared(
    families: readonly string[],
    texts: 'filter' | 'search' | null,
  ): Promise<void> | undefined {
    const { inTurns } = this;
    const wanted = families.map((family) => `${family} ${texts}`);
    if (!inTurns || wanted.every((one) => this.made.has(one))) return;
    const making = this.last.then(async () => {
      await inTurns(this.image.prepareFor(families, texts));
      for (const one of wanted) this.made.add(one);
    });
    this.last = making.catch(() => {});
    return making;
  }
}
