import { MemoryReadModel } from '../../read-model/memory/memory-read-model.js';
import type {
  Document,
  DocumentKey,
  DocumentSource,
  Projection,
  ReadModelSchema,
  StreamPlace,
} from '../../read-model/port.js';

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

/** A read model that several processes of a spec share, as if it stood in a database. */
export class DurableModel extends MemoryReadModel {
  override readonly durable: boolean = true;
  private readonly written = new Map<string, Written>();
  readonly built: string[] = [];
  left_overs: readonly string[] = [];
  /** Called before every step. */
  before_apply: (step: Projection) => void | Promise<void> = () => {};
  /** Called before every list. */
  before_list: () => void | Promise<void> = () => {};

  constructor(
    private readonly of: ReadModelSchema,
    override readonly form = '',
  ) {
    super(of);
  }

  override async leftOvers(): Promise<readonly string[]> {
    return this.left_overs;
  }

  override async dropLeftOvers(): Promise<void> {
    this.left_overs = [];
  }

  override async build(
    drive_id: string,
    generation: string,
    place: StreamPlace,
    source: DocumentSource,
    progress?: (documents_written: number) => void,
  ): Promise<number> {
    const written = new Written(this.of, source);
    this.written.set(generation, written);
    this.built.push(drive_id);
    return super.build(drive_id, generation, place, written, progress);
  }

  override async apply(step: Projection): Promise<boolean> {
    await this.before_apply(step);
    const { generation, drive_id, from_revision, touched } = step;
    const source = this.written.get(generation);
    const known = await this.generations(drive_id);
    const fits = known.some(
      (one) => one.generation === generation && one.revision === from_revision,
    );
    if (!source || !fits) return false;
    for (const key of touched) source.write(key, step.source);
    return super.apply({ ...step, source });
  }

  override async list(...asked: Parameters<MemoryReadModel['list']>) {
    await this.before_list();
    return super.list(...asked);
  }
}
