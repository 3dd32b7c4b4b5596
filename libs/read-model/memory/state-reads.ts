import { checkListQuery, checkSearchQuery } from '../checks.js';
import type { ChangingSource, Document, DocumentKey, ReadModel, ReadModelSchema } from '../port.js';
import { DriveImage } from './drive-image.js';

/** Reads do not show their position. */
const NO_HASH = new Uint8Array();

/** The queries of a read model. */
export type Reads<Item extends DocumentKey = Document> = Pick<ReadModel<Item>, 'list' | 'search'>;

/** Runs small steps, cooperatively or not. */
type Steps = (steps: Iterable<unknown>) => Promise<void>;

/**
 * The queries of one state, as `MemoryReadModel` would answer them. A family is indexed on first use, cooperatively if
 * possible, and its index follows the changes of the state, unless they are too many. The state must not change during
 * a query.
 */
export class StateReads implements Reads {
  private readonly image: DriveImage;
  private readonly made = new Set<string>();
  /** By family, the version of the state that its index shows. */
  private readonly versions = new Map<string, number>();
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly schema: ReadModelSchema,
    private readonly source: ChangingSource,
    private readonly inTurns?: Steps,
  ) {
    this.image = new DriveImage(schema, placeOf(source), source);
  }

  async list(...[, query]: Parameters<Reads['list']>): ReturnType<Reads['list']> {
    checkListQuery(this.schema, query);
    await this.prepared([query.family], Boolean(query.filter?.text));
    return this.image.list(query);
  }

  async search(...[, query]: Parameters<Reads['search']>): ReturnType<Reads['search']> {
    checkSearchQuery(this.schema, query);
    const families = query.families.map(({ family }) => family);
    await this.prepared(families, true);
    return this.image.search(query);
  }

  /** In sequence, so that each preparation uses the results of the previous one. */
  private prepared(families: readonly string[], with_texts: boolean): Promise<void> | undefined {
    const { inTurns } = this;
    this.image.place = placeOf(this.source);
    for (const family of families) this.follow(family);
    const wanted = families.map((family) => nameOf(family, with_texts));
    if (!inTurns || wanted.every((one) => this.made.has(one))) return;
    const making = this.last.then(async () => {
      await inTurns(this.image.prepareFor(families, with_texts));
      for (const one of wanted) this.made.add(one);
    });
    this.last = making.catch(() => {});
    return making;
  }

  /** Brings the index of a family to the state's present version. */
  private follow(family: string): void {
    const { source, image, versions } = this;
    const version = source.version(family);
    const known = versions.get(family);
    if (known === version) return;
    versions.set(family, version);
    const changed = known === undefined ? null : source.changedSince(family, known);
    if (changed) {
      for (const id of changed) image.update(family, id);
      return;
    }
    image.drop(family);
    for (const with_texts of [false, true]) this.made.delete(nameOf(family, with_texts));
  }
}

function nameOf(family: string, with_texts: boolean): string {
  return with_texts ? `${family} with texts` : family;
}

function placeOf({ revision }: ChangingSource) {
  return { revision, event_hash: NO_HASH };
}
