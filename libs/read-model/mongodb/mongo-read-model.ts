import type { KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import type { Db } from 'mongodb';

import { checkFamily, checkListQuery, checkSchema, checkSearchQuery } from '../checks.js';
import { Fingerprints } from '../fingerprint.js';
import { emptyPage } from '../page.js';
import type {
  Checkpoint,
  DocumentKey,
  Entry,
  ListQuery,
  Page,
  ReadModel,
  ReadModelSchema,
  SearchHit,
  SearchQuery,
} from '../port.js';
import { type KeptGeneration, checkpointOf } from './checkpoints.js';
import { Generations } from './generations.js';
import { type Answer, Queries } from './queries.js';
import { MOST_VALUES } from './selection.js';
import { ENTRY, type Scope, documentId, entryOf } from './stored.js';
import { READ_MODEL, Tables } from './tables.js';

/** Place of a generation that is being filled. */
const NO_PLACE = { revision: -1, event_hash: new Uint8Array() };
/** Pauses before a query is repeated because of a step in progress, in ms. */
const PAUSES_MS = [4, 16] as const;
/** Maximum switches of the generation during one query; more indicate a fault. */
const MOST_SWITCHES = 10;

/** Entries per query. */
const ENTRIES_AT_ONCE = 1000;

interface MongoReadModelOptions {
  /** 32 bytes that are never stored in the database; the key of fingerprints is derived from them. */
  readonly secret: Uint8Array;
  /** Maximum values of clauses in one query to the server. */
  readonly most_values?: number;
}

/**
 * The read model in MongoDB, shared by any number of processes. It needs neither transactions nor a text index:
 * documents are written before their checkpoint, each conditionally on its step, and each change of a checkpoint is
 * conditional on the previous one.
 *
 * An answer shows exactly its `revision` unless steps are written continuously: then, after a few retries, it may
 * show some newer data, never older.
 *
 * See `stored.ts` for data in clear and erasure, and `libs/mongodb/client.ts` for the guarantees of reads and writes.
 */
export class MongoReadModel extends Generations implements ReadModel {
  readonly durable = true;
  readonly form: string;
  private readonly queries: Queries;

  /** For reading only: nothing is created. */
  constructor(
    db: Db,
    schema: ReadModelSchema,
    { secret, most_values = MOST_VALUES }: MongoReadModelOptions,
  ) {
    checkSchema(schema);
    super(new Tables(db, schema), schema, Fingerprints.from(secret));
    this.form = `${READ_MODEL} ${this.fingerprints.key_name}`;
    this.queries = new Queries(this.tables, most_values);
  }

  /** Creates missing indexes. The opener owns the connection. */
  static async open(
    db: Db,
    schema: ReadModelSchema,
    options: MongoReadModelOptions,
  ): Promise<MongoReadModel> {
    const model = new MongoReadModel(db, schema, options);
    await model.tables.createIndexes();
    return model;
  }

  async generations(drive_id: string): Promise<readonly (Checkpoint & { active: boolean })[]> {
    const { active, generations, fillings } = await this.checkpoints.read(drive_id);
    return [
      ...generations.map((one) => ({ ...checkpointOf(one), active: one.generation === active })),
      ...fillings.map(({ generation }) => ({ generation, ...NO_PLACE, active: false })),
    ];
  }

  async checkpoint(drive_id: string): Promise<Checkpoint | null> {
    const active = await this.checkpoints.active(drive_id);
    return active ? checkpointOf(active) : null;
  }

  async isWithinStep(drive_id: string, families: readonly string[]): Promise<boolean> {
    for (const family of families) checkFamily(this.schema, family);
    const active = await this.checkpoints.active(drive_id);
    return active !== undefined && this.hasLater(drive_id, active, families);
  }

  async list(drive_id: string, query: ListQuery): Promise<Page<DocumentKey>> {
    checkListQuery(this.schema, query);
    return this.atRest(drive_id, [query.family], (kept) =>
      this.queries.list(drive_id, kept, query),
    );
  }

  async search(drive_id: string, query: SearchQuery): Promise<Page<SearchHit>> {
    checkSearchQuery(this.schema, query);
    const families = query.families.map(({ family }) => family);
    return this.atRest(drive_id, families, (kept) => this.queries.search(drive_id, kept, query));
  }

  async entries(
    drive_id: string,
    family: string,
    ids: readonly string[],
  ): Promise<readonly Entry[]> {
    checkFamily(this.schema, family);
    const { checkpoints } = this;
    let before = checkpoints.lastActive(drive_id) ?? (await checkpoints.active(drive_id));
    while (before) {
      const entries = await this.entriesOf({ drive_id, build: before.build }, family, ids);
      const after = await checkpoints.active(drive_id);
      // The queried generation may have been swept.
      if (after?.build === before.build) return entries;
      before = after;
    }
    return [];
  }

  fingerprintKey(): KeyObject {
    return this.fingerprints.key;
  }

  leftOvers(): Promise<readonly string[]> {
    return this.tables.leftOvers();
  }

  dropLeftOvers(): Promise<void> {
    return this.tables.dropLeftOvers();
  }

  /** Owns no resources. */
  async close(): Promise<void> {}

  private async entriesOf(scope: Scope, family: string, ids: readonly string[]): Promise<Entry[]> {
    const { drive_id, build } = scope;
    const entries: Entry[] = [];
    for (let at = 0; at < ids.length; at += ENTRIES_AT_ONCE) {
      const asked = ids.slice(at, at + ENTRIES_AT_ONCE).map((id) => documentId(scope, id));
      const filter = { drive_id, build, _id: { $in: asked } };
      const options = { projection: ENTRY, batchSize: ENTRIES_AT_ONCE };
      for await (const stored of this.tables.of(family).find(filter, options)) {
        const entry = entryOf(family, stored);
        if (entry) entries.push(entry);
      }
    }
    return entries;
  }

  /**
   * Queries the active generation, and repeats the query if the generation has changed meanwhile. Documents later
   * than the checkpoint, before or after it advances, reveal a step in progress.
   *
   * The query starts from the checkpoint that this process saw last, so that an idle drive needs no extra round trip.
   * If a later step has touched the queried families, the query is repeated.
   */
  private async atRest<Item>(
    drive_id: string,
    families: readonly string[],
    ask: (kept: KeptGeneration) => Promise<Answer<Item>>,
  ): Promise<Page<Item>> {
    const { checkpoints } = this;
    const pauses = PAUSES_MS.values();
    const remembered = checkpoints.lastActive(drive_id);
    let before = remembered ?? (await checkpoints.active(drive_id));
    for (let switches = 0; switches < MOST_SWITCHES;) {
      if (before === undefined) return emptyPage();
      const asked_of = before;
      const { page, keepTotals } = await ask(asked_of);
      const [after, is_moving] = await Promise.all([
        checkpoints.active(drive_id),
        this.hasLater(drive_id, asked_of, families),
      ]);
      before = after;
      if (after?.build !== asked_of.build) {
        // The queried generation may have been swept.
        switches += 1;
        continue;
      }
      if (!is_moving && isUntouched(asked_of, after, families)) {
        keepTotals();
        return { ...page, revision: after.revision };
      }
      // The cached checkpoint was outdated: repeat without a pause.
      if (asked_of === remembered && after.revision > asked_of.revision) continue;
      const pause_ms = pauses.next().value;
      if (pause_ms === undefined) return page;
      await pause(pause_ms);
      before = await checkpoints.active(drive_id);
    }
    throw new Error(`the read model of ${drive_id} is continuously switched`);
  }
}

/** True if no step between two checkpoints of a generation touched the families. */
function isUntouched(
  { revision: from }: KeptGeneration,
  { revision: to, touched }: KeptGeneration,
  families: readonly string[],
): boolean {
  return to >= from && families.every((family) => (touched[family] ?? -1) <= from);
}
