import { DocumentsInMemory } from '../../read-model/memory/testing/documents-in-memory.js';
import type {
  DocumentSource,
  Projection,
  ReadModelSchema,
  StreamPlace,
} from '../../read-model/port.js';

/** A read model that several processes of a spec share, as if it stood in a database. */
export class DurableModel extends DocumentsInMemory {
  readonly built: string[] = [];
  left_overs: readonly string[] = [];
  /** Called before every step. */
  before_apply: (step: Projection) => void | Promise<void> = () => {};
  /** Called before every list. */
  before_list: () => void | Promise<void> = () => {};

  constructor(
    schema: ReadModelSchema,
    override readonly form = '',
  ) {
    super(schema);
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
    this.built.push(drive_id);
    return super.build(drive_id, generation, place, source, progress);
  }

  override async apply(step: Projection): Promise<boolean> {
    await this.before_apply(step);
    return super.apply(step);
  }

  override async list(...asked: Parameters<DocumentsInMemory['list']>) {
    await this.before_list();
    return super.list(...asked);
  }
}
