import { type KeyObject, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  checkFamily,
  checkListQuery,
  checkProjection,
  checkSchema,
  checkSearchQuery,
  refuseActive,
} from '../checks.js';
import { Fingerprints } from '../fingerprint.js';
import { emptyPage } from '../page.js';
import type {
  Checkpoint,
  Document,
  DocumentSource,
  Entry,
  ListQuery,
  Page,
  Projection,
  ReadModel,
  ReadModelSchema,
  SearchHit,
  SearchQuery,
  StreamPlace,
} from '../port.js';
import { DriveImage } from './drive-image.js';
import { DEFAULT_TUNING, type Tuning } from './family-index.js';

/** Maximum work before yielding to the event loop, ms: a request waits for such a slice several times. */
const STRETCH_MS = 1;

interface DriveGenerations {
  active: string | null;
  readonly images: Map<string, DriveImage>;
}

/**
 * The read model of the embedded default: per drive and generation an index over the documents in the process's
 * memory. Nothing is stored; after a start every drive is built again from its state.
 */
export class MemoryReadModel implements ReadModel<Document> {
  readonly durable: boolean = false;
  readonly form: string = '';
  private readonly drives = new Map<string, DriveGenerations>();
  /** Large steps in progress. */
  private readonly applying = new Map<DriveImage, Promise<void>>();
  private readonly tuning: Tuning;
  /** Nothing is stored, so the key lives as long as the process. */
  private readonly fingerprints = Fingerprints.from(randomBytes(32));

  constructor(
    private readonly schema: ReadModelSchema,
    tuning: Partial<Tuning> = {},
  ) {
    this.tuning = { ...DEFAULT_TUNING, ...tuning };
    if (this.tuning.block_records < 2) throw new RangeError('block_records must be at least 2');
    checkSchema(schema);
  }

  async apply(projection: Projection): Promise<boolean> {
    checkProjection(projection);
    const drive = this.drives.get(projection.drive_id);
    if (projection.if_active && drive?.active !== projection.generation) return false;
    const image = drive?.images.get(projection.generation);
    for (let other = image && this.applying.get(image); other; other = this.applying.get(image!))
      await other;
    if (image?.revision !== projection.from_revision) return false;
    const steps = image.apply(projection);
    // The common case.
    if (steps.next().done) return true;
    const applying = takeInTurns(steps).finally(() => this.applying.delete(image));
    this.applying.set(
      image,
      applying.catch(() => {}),
    );
    await applying;
    return true;
  }

  async build(
    drive_id: string,
    generation: string,
    place: StreamPlace,
    source: DocumentSource,
    progress?: (documents_written: number) => void,
  ): Promise<number> {
    const drive = this.drive(drive_id);
    refuseActive(drive.active, generation);
    const image = new DriveImage(this.schema, place, source, this.tuning);
    let written = 0;
    await takeInTurns(image.prepare(), (documents) => {
      written = documents;
      progress?.(written);
    });
    refuseActive(drive.active, generation);
    // A drive that was removed meanwhile stays removed: its old entry is no longer used.
    drive.images.set(generation, image);
    return written;
  }

  async activate(drive_id: string, generation: string): Promise<boolean> {
    const drive = this.drives.get(drive_id);
    const image = drive?.images.get(generation);
    if (drive === undefined || image === undefined) return false;
    const active = activeImage(drive);
    if (active !== undefined && image.revision < active.revision) return false;
    drive.active = generation;
    return true;
  }

  async sweep(drive_id: string, generation: string): Promise<void> {
    const drive = this.drives.get(drive_id);
    if (drive?.active !== generation) drive?.images.delete(generation);
  }

  async generations(drive_id: string): Promise<readonly (Checkpoint & { active: boolean })[]> {
    const drive = this.drives.get(drive_id);
    return Array.from(drive?.images ?? [], ([generation, { place }]) => ({
      generation,
      ...place,
      active: generation === drive?.active,
    }));
  }

  async checkpoint(drive_id: string): Promise<Checkpoint | null> {
    const generation = this.drives.get(drive_id)?.active ?? null;
    const image = this.image(drive_id);
    if (generation === null || image === undefined) return null;
    return { generation, ...image.place };
  }

  async isWithinStep(drive_id: string): Promise<boolean> {
    const image = this.image(drive_id);
    return image !== undefined && this.applying.has(image);
  }

  async forget(drive_id: string): Promise<void> {
    this.drives.delete(drive_id);
  }

  async list(drive_id: string, query: ListQuery): Promise<Page<Document>> {
    checkListQuery(this.schema, query);
    return this.image(drive_id)?.list(query) ?? emptyPage();
  }

  async search(drive_id: string, query: SearchQuery): Promise<Page<SearchHit<Document>>> {
    checkSearchQuery(this.schema, query);
    return this.image(drive_id)?.search(query) ?? emptyPage();
  }

  async entries(
    drive_id: string,
    family: string,
    ids: readonly string[],
  ): Promise<readonly Entry[]> {
    checkFamily(this.schema, family);
    const image = this.image(drive_id);
    return ids.flatMap((id) => {
      const document = image?.get(family, id);
      if (!document) return [];
      const { revision } = document;
      return [{ family, id, revision, fingerprint: this.fingerprints.of(drive_id, document) }];
    });
  }

  fingerprintKey(): KeyObject {
    return this.fingerprints.key;
  }

  async leftOvers(): Promise<readonly string[]> {
    return [];
  }

  async dropLeftOvers(): Promise<void> {}

  async close(): Promise<void> {
    this.drives.clear();
  }

  private image(drive_id: string): DriveImage | undefined {
    const drive = this.drives.get(drive_id);
    return drive && activeImage(drive);
  }

  private drive(drive_id: string): DriveGenerations {
    const known = this.drives.get(drive_id);
    if (known !== undefined) return known;
    const drive = { active: null, images: new Map<string, DriveImage>() };
    this.drives.set(drive_id, drive);
    return drive;
  }
}

/** Runs steps in slices of about a millisecond. */
async function takeInTurns<Step>(
  steps: Iterable<Step>,
  taken?: (step: Step) => void,
): Promise<void> {
  let due_ms = performance.now() + STRETCH_MS;
  for (const step of steps) {
    taken?.(step);
    if (performance.now() < due_ms) continue;
    await nextTurn();
    due_ms = performance.now() + STRETCH_MS;
  }
}

function activeImage({ active, images }: DriveGenerations): DriveImage | undefined {
  return active === null ? undefined : images.get(active);
}
