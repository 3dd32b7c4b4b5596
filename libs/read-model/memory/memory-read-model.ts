import { checkSchema } from '../checks.js';
import type {
  ChangingSource,
  InTurns,
  LocalReadModel,
  ReadModelSchema,
  Unchanged,
} from '../port.js';
import { StateReads } from './state-reads.js';

/** The read model of the embedded default: an index over each state, in the memory of the process. */
export class MemoryReadModel implements LocalReadModel {
  readonly durable = false;

  constructor(private readonly schema: ReadModelSchema) {
    checkSchema(schema);
  }

  get families(): readonly string[] {
    return Object.keys(this.schema);
  }

  over(source: ChangingSource, inTurns: InTurns, unchanged: Unchanged): StateReads {
    return new StateReads(this.schema, source, inTurns, unchanged);
  }

  async close(): Promise<void> {}
}
