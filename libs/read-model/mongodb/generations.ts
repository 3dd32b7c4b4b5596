import { upsertAll } from '../../mongodb/put.js';
import { checkProjection, refuseActive } from '../checks.js';
import type { Fingerprints } from '../fingerprint.js';
import type {
  Document,
  DocumentSource,
  FamilySchema,
  Projection,
  ReadModelSchema,
  StreamPlace,
} from '../port.js';
import {
  Checkpoints,
  type DriveGenerations,
  type KeptGeneration,
  activeOf,
  generationNamed,
  keptPlace,
  knownBuilds,
  newName,
} from './checkpoints.js';
import { type Scope, type StoredEntry, storedEntry, tombstone } from './stored.js';
import type { Tables } from './tables.js';
import { Writes, chunksOf, ofEarlierStep, removeBuild } from './writer.js';

/** Fills, advances, switches and removes generations. */
export class Generations {
  protected readonly checkpoints: Checkpoints;

  constructor(
    protected readonly tables: Tables,
    protected readonly schema: ReadModelSchema,
    protected readonly fingerprints: Fingerprints,
  ) {
    this.checkpoints = new Checkpoints(tables.checkpoints, fingerprints.key_name);
  }

  /**
   * Documents first, then the checkpoint. After a crash in between, documents are newer than the checkpoint, and
   * repeating the step advances it.
   */
  async apply(projection: Projection): Promise<boolean> {
    checkProjection(projection);
    const { drive_id, generation, from_revision, if_active, revision, touched, source } =
      projection;
    // Before awaiting anything: the source may change later.
    const listed = touched.filter(({ family }) => Object.hasOwn(this.schema, family));
    const families = Map.groupBy(listed, ({ family }) => family);
    const changes = Array.from(families, ([family, keys]) => ({
      family,
      documents: Array.from(new Set(keys.map(({ id }) => id)), (id) => ({
        id,
        document: source.document(family, id),
      })),
    }));
    const fitting = (now: DriveGenerations) => {
      const one = generationNamed(now, generation);
      if (one?.revision !== from_revision || (if_active && now.active !== generation)) return null;
      return one;
    };
    const remembered = this.checkpoints.last(drive_id);
    const kept =
      (remembered && fitting(remembered)) ?? fitting(await this.checkpoints.read(drive_id));
    if (kept === null) return false;
    const { build } = kept;
    const scope = { drive_id, build };
    await Promise.all(
      changes.map(async ({ family, documents }) => {
        const schema = this.schema[family]!;
        const collection = this.tables.of(family);
        for (const chunk of chunksOf(documents, ({ id, document }) =>
          document ? this.made(schema, scope, revision, document) : tombstone(scope, revision, id),
        ))
          await upsertAll(collection, chunk, ofEarlierStep);
      }),
    );
    const stamps = Object.fromEntries(changes.map(({ family }) => [family, revision]));
    const move = (now: DriveGenerations): DriveGenerations | null => {
      const one = fitting(now);
      if (one?.build !== build) return null;
      const touched_at = { ...one.touched, ...stamps };
      return withGeneration(now, { ...one, ...keptPlace(projection), touched: touched_at });
    };
    const moved = await this.checkpoints.change(drive_id, move);
    // The generation was swept or removed meanwhile.
    if (!moved) await this.removeIfUnknown(scope);
    return moved;
  }

  async build(
    drive_id: string,
    generation: string,
    place: StreamPlace,
    source: DocumentSource,
    progress?: (documents_written: number) => void,
  ): Promise<number> {
    const scope = { drive_id, build: newName() };
    await this.announce(scope, generation);
    let written = 0;
    let leaves_rest = false;
    const writes = new Writes();
    try {
      for (const [family, schema] of Object.entries(this.schema)) {
        const collection = this.tables.of(family);
        for (const chunk of chunksOf(source.documents(family), (document) =>
          this.made(schema, scope, place.revision, document),
        ))
          await writes.begin(async () => {
            await collection.insertMany(chunk, { ordered: false });
            written += chunk.length;
            progress?.(written);
          });
      }
      await writes.end();
      const is_kept = await this.checkpoints.change(drive_id, (kept) => {
        refuseActive(kept.active, generation);
        leaves_rest = kept.active === null;
        // Removed meanwhile.
        if (!kept.fillings.some(({ build }) => build === scope.build)) return null;
        const { build } = scope;
        return withGeneration(withoutFilling(kept, build), {
          generation,
          build,
          ...keptPlace(place),
          key_name: this.fingerprints.key_name,
          touched: {},
        });
      });
      leaves_rest ||= !is_kept;
    } catch (error) {
      await writes.settled();
      // If this fails too, a later sweep of the generation removes the rest.
      await this.abandon(scope).catch(() => {});
      throw error;
    }
    // If another generation is active, the sweep after the switch does that.
    if (leaves_rest) await this.removeUnknown(drive_id);
    progress?.(written);
    return written;
  }

  activate(drive_id: string, generation: string): Promise<boolean> {
    return this.checkpoints.change(drive_id, (kept) => {
      const wanted = generationNamed(kept, generation);
      const active = activeOf(kept);
      if (wanted === undefined || (active && wanted.revision < active.revision)) return null;
      return active === wanted ? kept : { ...kept, active: generation };
    });
  }

  async sweep(drive_id: string, generation: string): Promise<void> {
    await this.checkpoints.change(drive_id, (kept) => {
      if (kept.active === generation) return kept;
      const isOther = (one: { readonly generation: string }): boolean =>
        one.generation !== generation;
      const [generations, fillings] = [
        kept.generations.filter(isOther),
        kept.fillings.filter(isOther),
      ];
      const is_swept =
        generations.length < kept.generations.length || fillings.length < kept.fillings.length;
      return is_swept ? { ...kept, generations, fillings } : kept;
    });
    await this.removeUnknown(drive_id);
  }

  async forget(drive_id: string): Promise<void> {
    await this.checkpoints.forget(drive_id);
    await this.removeUnknown(drive_id);
  }

  /** True if families hold documents of a step after the checkpoint. */
  protected async hasLater(
    drive_id: string,
    { build, revision }: KeptGeneration,
    families: readonly string[],
  ): Promise<boolean> {
    const later = await Promise.all(
      families.map((family) =>
        this.tables
          .of(family)
          .find({ drive_id, build, step: { $gt: revision } }, { projection: { _id: 1 }, limit: 1 })
          .toArray(),
      ),
    );
    return later.flat().length > 0;
  }

  private made(schema: FamilySchema, scope: Scope, step: number, document: Document): StoredEntry {
    const fingerprint = this.fingerprints.of(scope.drive_id, document);
    return storedEntry(schema, scope, step, document, fingerprint);
  }

  private announce({ drive_id, build }: Scope, generation: string): Promise<boolean> {
    return this.checkpoints.change(drive_id, (kept) => {
      refuseActive(kept.active, generation);
      return { ...kept, fillings: [...kept.fillings, { build, generation }] };
    });
  }

  private async abandon({ drive_id, build }: Scope): Promise<void> {
    await this.checkpoints.change(drive_id, (kept) => withoutFilling(kept, build));
    await this.removeUnknown(drive_id);
  }

  /** Removes the documents of fillings that no checkpoint names: replaced, swept, removed or abandoned. */
  private async removeUnknown(drive_id: string): Promise<void> {
    const collections = this.tables.all();
    // Collected before the checkpoint is read: a filling with documents was registered before.
    const found = await Promise.all(
      collections.map((collection) => collection.distinct('build', { drive_id })),
    );
    const known = knownBuilds(await this.checkpoints.read(drive_id));
    for (const [at, collection] of collections.entries())
      for (const build of found[at]!)
        if (!known.has(build)) await removeBuild(collection, { drive_id, build });
  }

  private async removeIfUnknown({ drive_id, build }: Scope): Promise<void> {
    if (knownBuilds(await this.checkpoints.read(drive_id)).has(build)) return;
    for (const collection of this.tables.all()) await removeBuild(collection, { drive_id, build });
  }
}

/** Replaces a generation of the same name, or adds it. */
function withGeneration(kept: DriveGenerations, added: KeptGeneration): DriveGenerations {
  const others = kept.generations.filter(({ generation }) => generation !== added.generation);
  return { ...kept, generations: [...others, added] };
}

function withoutFilling(kept: DriveGenerations, build: string): DriveGenerations {
  const fillings = kept.fillings.filter((one) => one.build !== build);
  return fillings.length === kept.fillings.length ? kept : { ...kept, fillings };
}
