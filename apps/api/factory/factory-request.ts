import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FactoryKey } from '../../../libs/domain/access/caller.js';
import type { CommandRequest } from '../../../libs/engine/call.js';
import { FACTORY_ID } from '../../../libs/engine/fold.js';
import { DriveRequest } from '../drive/drive-request.js';

/** A request to the factory, whose stream is handled like a drive. */
export class FactoryRequest extends DriveRequest {
  constructor(key: FactoryKey | null, request: FastifyRequest, reply: FastifyReply) {
    super(FACTORY_ID, { kind: 'factory', ...(key && { key }) }, '', request, reply);
  }

  /** Callers without a key cannot be told apart, so none of them owns an Idempotency-Key. */
  override get command(): CommandRequest {
    return { ...super.command, idempotency: null };
  }
}
