import { type KeyObject, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  checkFamily,
  checkListQuery,
  checkProjection,
  checkSchema,
  checkSearchQuery,
  refuseActive,
} from '../../checks.js';
import { Fingerprints } from '../../fingerprint.js';
import { emptyPage } from '../../page.js';
import type {
  Checkpoint,
  Document,
  DocumentKey,
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
} from '../../port.js';
import { DriveImage } from '../drive-image.js';
import { DEFAULT_TUNING, type Tuning } from '../family-index.js';

interface DriveGenerations {
  active: string | null;
  readonly images: Map<string, Generation>;
}

/**
 * A read model of specs as if it stood in a database: per drive and generation an index over the documents as they were
 * written. Its queries are those of the embedded read model.
 */
export class DocumentsInMemory implements ReadModel<Document> {
  readonly durable = true;
  readonly form: string = '';
  private readonly drives = new Map<string, DriveGenerations>();
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
    const { drive_id, generation, if_active, from_revision } = projection;
    const drive = this.drives.get(drive_id);
    if (if_active && drive?.active !== generation) return false;
    const image = drive?.images.get(generation);
    if (image?.revision !== from_revision) return false;
    image.apply(projection);
    return true;
  }

  async build(
    drive_id: string,
    generation: string,
    place: StreamPlace,
    source: DocumentSource,
    progress: (documents_written: number) => void = () => {},
  ): Promise<number> {
    const drive = this.drive(drive_id);
    refuseActive(drive.active, generation);
    const image = new Generation(this.schema, place, source, this.tuning);
    let written = 0;
    for (const family of Object.keys(this.schema)) {
      for (const _ of source.documents(family)) written++;
      await nextTurn();
      progress(written);
    }
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

  async isWithinStep(): Promise<boolean> {
    return false;
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

  private image(drive_id: string): Generation | undefined {
    const drive = this.drives.get(drive_id);
    return drive && activeImage(drive);
  }

  private drive(drive_id: string): DriveGenerations {
    const known = this.drives.get(drive_id);
    if (known !== undefined) return known;
    const drive = { active: null, images: new Map<string, Generation>() };
    this.drives.set(drive_id, drive);
    return drive;
  }
}

function activeImage({ active, images }: DriveGenerations): Generation | undefined {
  return active === null ? undefined : images.get(active);
}

/** Documents as they were written: nothing of the process that wrote them. */
class Written implements DocumentSource {
  private readonly families = new Map<string, Map<string, Document>>();

  constructor(schema: ReadModelSchema, source: DocumentSource) {
    for (const family of Object.keys(schema))
      for (const { id } of source.documents(family)) this.write({ family, id }, source);
  }

  write({ family, id }: DocumentKey, source: DocumentSource): void {
    let documents = this.families.get(family);
    if (!documents) this.families.set(family, (documents = new Map()));
    const document = source.document(family, id);
    if (!document) documents.delete(id);
    else {
      const { revision, record } = document;
      documents.set(id, { family, id, revision, record: structuredClone(record) });
    }
  }

  document(family: string, id: string): Document | undefined {
    return this.families.get(family)?.get(id);
  }

  documents(family: string): Iterable<Document> {
    return this.families.get(family)?.values() ?? [];
  }
}

class Generation extends DriveImage {
  private readonly written: Written;

  constructor(
    schema: ReadModelSchema,
    public place: StreamPlace,
    source: DocumentSource,
    tuning: Tuning,
  ) {
    const written = new Written(schema, source);
    super(schema, place.revision, written, tuning);
    this.written = written;
    for (const family of Object.keys(schema)) {
      const index = this.emptyIndex(family);
      for (const _ of index.takeAll(written.documents(family), false));
      this.add(family, index);
    }
  }

  get(family: string, id: string): Document | undefined {
    return this.written.document(family, id);
  }

  apply({ revision, event_hash, touched, source }: Projection): void {
    for (const key of touched) {
      this.written.write(key, source);
      this.update(key.family, key.id);
    }
    this.place = { revision, event_hash };
    this.revision = revision;
  }
}
