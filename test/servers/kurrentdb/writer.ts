import type { ServerErrorResponse } from '@grpc/grpc-js';

/** The server does not lead, or no longer: what was to be written may be stored later, or never. */
export class NotLeading extends Error {
  override readonly name = 'NotLeading';
}

/** How a server comes to write, and who may ask it. */
export interface Writer {
  /** Null if the server may answer, also if only the leader may. */
  refusal(requires_leader: boolean): ServerErrorResponse | null;
  /**
   * Does it, and resolves once it is durable.
   * @throws NotLeading
   */
  write<T>(write: () => T): Promise<T>;
}

/** A server without others. */
export const ALONE: Writer = {
  refusal: () => null,
  write: async (write) => write(),
};
