import { checkListQuery, checkSearchQuery } from '../checks.js';
import {
  type ChangingSource,
  type InTurns,
  type ReadModelSchema,
  RepeatQuery,
  type StateIndex,
  type Unchanged,
} from '../port.js';
import { DriveImage } from './drive-image.js';
import type { FamilyIndex } from './family-index.js';

/** Changes whose records are updated at once, in about a millisecond; more are updated in small steps. */
const FEW_CHANGES = 512;
/** Changes whose records are found at once; a record that changed more often is updated once. */
const CHANGES_AT_ONCE = 8192;
/** Entries updated in one such step. */
const UPDATED_AT_ONCE = 32;
/** An index that is still behind after so many rounds, each with the changes of the round before, does not catch up. */
const MOST_ROUNDS = 32;

/** An index cannot follow a state that changes faster. */
class ChangesTooFast extends Error {
  override readonly name = 'ChangesTooFast';
}

/** What a query needs. */
interface Needed {
  readonly families: readonly string[];
  readonly with_texts: boolean;
}

/**
 * The queries of one state. A family is indexed on first use, in small steps, and its index follows the changes of the
 * state with the next query of the family. Between two queries the state may contain changes that are
 * rolled back later: those are changes again.
 */
export class StateReads implements StateIndex {
  private readonly image: DriveImage;
  /** By indexed family, the version of the state that its index shows at least. */
  private readonly versions = new Map<string, number>();
  private last: Promise<void> = Promise.resolve();
  /** Families brought up to date for a query that has not been answered since. */
  private readonly prepared_last = new Set<string>();

  /**
   * @param unchanged present if the state may change while families are indexed, and between the moments in which it can
   *   be read: a query that had to wait is then to be repeated. Such a state is read often, so all fields are indexed
   *   with their family
   */
  constructor(
    private readonly schema: ReadModelSchema,
    private readonly source: ChangingSource,
    private readonly inTurns: InTurns,
    private readonly unchanged?: Unchanged,
  ) {
    this.image = new DriveImage(schema, source.revision, source);
  }

  get indexed(): ReadonlyMap<string, boolean> {
    const { image } = this;
    return new Map([...this.versions.keys()].map((family) => [family, image.has(family, true)]));
  }

  async list(...[, query]: Parameters<StateIndex['list']>): ReturnType<StateIndex['list']> {
    checkListQuery(this.schema, query);
    const needed = { families: [query.family], with_texts: Boolean(query.filter?.text) };
    // Nothing is awaited if all is indexed, so that the query and its caller see one state.
    if (!this.isReady(needed)) await this.prepared(needed);
    return this.image.list(query);
  }

  async search(...[, query]: Parameters<StateIndex['search']>): ReturnType<StateIndex['search']> {
    checkSearchQuery(this.schema, query);
    const needed = { families: query.families.map(({ family }) => family), with_texts: true };
    if (!this.isReady(needed)) await this.prepared(needed);
    return this.image.search(query);
  }

  refresh(): void {
    for (const family of this.versions.keys())
      if (!this.follow(family, FEW_CHANGES)) {
        this.image.drop(family);
        this.versions.delete(family);
      }
  }

  async prepareAs({ indexed }: StateIndex): Promise<void> {
    for (const [family, with_texts] of indexed)
      await this.prepare({ families: [family], with_texts });
  }

  /** Brings the indexes of the query up to date, if that is little work. */
  private isReady({ families, with_texts }: Needed): boolean {
    const { image } = this;
    image.revision = this.source.revision;
    let is_ready = true;
    for (const family of families)
      if (!this.follow(family, FEW_CHANGES) || !image.has(family, with_texts)) is_ready = false;
    if (is_ready) for (const family of families) this.prepared_last.delete(family);
    return is_ready;
  }

  /** Brings the indexes of the query up to date. @throws RepeatQuery if the state may have changed meanwhile */
  private async prepared(needed: Needed): Promise<void> {
    const { unchanged } = this;
    if (!unchanged) return this.prepare(needed);
    const prepare = (): Promise<void> => this.prepare(needed);
    // Behind again although it was brought up to date: by many changes in each moment that cannot be read.
    const is_again = needed.families.some((family) => this.prepared_last.has(family));
    if (is_again) await unchanged(prepare);
    else
      await prepare().catch((error: unknown) => {
        if (!(error instanceof ChangesTooFast)) throw error;
        return unchanged(prepare);
      });
    for (const family of needed.families) this.prepared_last.add(family);
    throw new RepeatQuery();
  }

  /** In sequence, so that each preparation uses the results of the previous one. */
  private prepare({ families, with_texts }: Needed): Promise<void> {
    const steps = this.steps({ families, with_texts });
    const preparing = this.last.then(() => this.inTurns(steps));
    this.last = preparing.catch(() => {});
    return preparing;
  }

  /**
   * Brings the index of a family to the state's present version by at most so many changes. False if there are more, or
   * no index.
   */
  private follow(family: string, most_changes: number): boolean {
    const { source, image, versions } = this;
    const known = versions.get(family);
    if (known === undefined) return false;
    const version = source.version(family);
    if (known === version) return true;
    const is_much = version - known > most_changes;
    const changed = source.changedSince(family, known, is_much ? known : version);
    if (changed === null) {
      image.drop(family);
      versions.delete(family);
      return false;
    }
    if (is_much) return false;
    for (const id of changed) image.update(family, id);
    versions.set(family, version);
    return true;
  }

  /** @throws ChangesTooFast */
  private *steps({ families, with_texts }: Needed): Generator<void> {
    for (const family of families) {
      for (let round = 0; !this.follow(family, FEW_CHANGES); round += 1) {
        if (round === MOST_ROUNDS) throw new ChangesTooFast();
        if (this.versions.has(family)) yield* this.update(family);
        else yield* this.index(family, with_texts);
      }
      if (!with_texts) continue;
      for (const _ of this.image.readTexts(family)) {
        yield;
        // Else there might be too many changes at the end.
        this.follow(family, FEW_CHANGES);
      }
    }
  }

  /**
   * Indexes a family of which the state may change meanwhile; does nothing after too many changes at once.
   * @throws ChangesTooFast
   */
  private *index(family: string, with_texts: boolean): Generator<void> {
    const { source, image } = this;
    let version = source.version(family);
    let missed = new Set<string>();
    /** False if the changes are unknown. */
    const noteChanges = (): boolean => {
      if (source.version(family) === version) return true;
      const changed = source.changedSince(family, version);
      version = source.version(family);
      for (const id of changed ?? []) missed.add(id);
      return changed !== null;
    };
    const index: FamilyIndex = image.emptyIndex(family);
    if (this.unchanged) index.fields.prepare();
    for (const _ of index.takeAll(source.documents(family), with_texts)) {
      yield;
      if (!noteChanges()) return;
    }
    // Before others may use the index.
    for (let round = 0; missed.size > 0; round += 1) {
      if (round === MOST_ROUNDS) throw new ChangesTooFast();
      const changed = missed;
      missed = new Set();
      let nth = 0;
      for (const id of changed) {
        image.bringUp(index, family, id);
        if (++nth % UPDATED_AT_ONCE > 0) continue;
        yield;
        if (!noteChanges()) return;
      }
    }
    image.add(family, index);
    this.versions.set(family, version);
  }

  /** Applies many changes, the oldest first. Until its end the index counts as outdated. */
  private *update(family: string): Generator<void> {
    const { source, image, versions } = this;
    const from = versions.get(family)!;
    const until = Math.min(from + CHANGES_AT_ONCE, source.version(family));
    let nth = 0;
    for (const id of source.changedSince(family, from, until) ?? []) {
      image.update(family, id);
      if (++nth % UPDATED_AT_ONCE === 0) yield;
    }
    // A query in between may have found that too much has changed.
    if (versions.has(family)) versions.set(family, until);
  }
}
