import { checkSchema } from '../checks.js';
import type {
  ChangingSource,
  InTurns,
  LocalReadModel,
  PrepareForReading,
  ReadModelSchema,
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

  over(source: ChangingSource, inTurns: InTurns, forReading?: PrepareForReading): StateReads {
    return new StateReads(this.schema, source, { inTurns, is_live: true, forReading });
  }

  async close(): Promise<void> {}
}
