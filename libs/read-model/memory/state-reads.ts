import { checkListQuery, checkSearchQuery } from '../checks.js';
import type { ChangingSource, Document, DocumentKey, ReadModel, ReadModelSchema } from '../port.js';
import { DriveImage } from './drive-image.js';

/** Reads do not show their position. */
const NO_HASH = new Uint8Array();

/** The queries of a read model. */
export type Reads<Item extends DocumentKey = Document> = Pick<ReadModel<Item>, 'list' | 'search'>;

/** Runs small steps, cooperatively or not. */
type Steps = (steps: Iterable<unknown>) => Promise<void>;

/** Changed records whose entries are updated at once, in about a millisecond; more are updated in small steps. */
const FEW_CHANGES = 512;
/** Entries updated in one such step. */
const UPDATED_AT_ONCE = 32;

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
    const changed = new Map<string, ReadonlySet<string>>();
    for (const family of families) this.follow(family, changed);
    const wanted = families.map((family) => nameOf(family, with_texts));
    if (!inTurns || wanted.every((one) => this.made.has(one))) return;
    const making = this.last.then(async () => {
      await inTurns(this.updates(changed));
      await inTurns(this.image.prepareFor(families, with_texts));
      for (const one of wanted) this.made.add(one);
    });
    this.last = making.catch(() => {
      // Some entries may be missing.
      for (const family of changed.keys()) this.image.drop(family);
    });
    return making;
  }

  /**
   * Brings the index of a family to the state's present version, except for many changes if that can be done in turns:
   * these are added to `left`.
   */
  private follow(family: string, left: Map<string, ReadonlySet<string>>): void {
    const { source, image, versions, inTurns } = this;
    const version = source.version(family);
    const known = versions.get(family);
    if (known === version) return;
    versions.set(family, version);
    const changed = known === undefined ? null : source.changedSince(family, known);
    if (changed && (!inTurns || changed.size <= FEW_CHANGES)) {
      for (const id of changed) image.update(family, id);
      return;
    }
    for (const with_texts of [false, true]) this.made.delete(nameOf(family, with_texts));
    if (changed) left.set(family, changed);
    else image.drop(family);
  }

  private *updates(changed: ReadonlyMap<string, ReadonlySet<string>>): Generator<void> {
    let nth = 0;
    for (const [family, ids] of changed)
      for (const id of ids) {
        this.image.update(family, id);
        if (++nth % UPDATED_AT_ONCE === 0) yield;
      }
  }
}

function nameOf(family: string, with_texts: boolean): string {
  return with_texts ? `${family} with texts` : family;
}

function placeOf({ revision }: ChangingSource) {
  return { revision, event_hash: NO_HASH };
}
