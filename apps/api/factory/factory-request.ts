import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FactoryKey } from '../../../libs/domain/access/caller.js';
import type { CommandRequest } from '../../../libs/engine/writer/call.js';
import { FACTORY_ID } from '../../../libs/engine/fold/fold.js';
import { invalidHeader } from '../refusals.js';
import { DriveRequest } from '../drive/drive-request.js';

/** A request to the factory; its stream is handled like that of a drive. */
export class FactoryRequest extends DriveRequest {
  constructor(key: FactoryKey | null, request: FastifyRequest, reply: FastifyReply) {
    super(FACTORY_ID, { kind: 'factory', ...(key && { key }) }, '', undefined, request, reply);
  }

  /**
   * The factory ignores an Idempotency-Key, because callers without a key are not identified. It refuses
   * a dry run, because creating an organization cannot be simulated.
   */
  override get command(): CommandRequest {
    const { credential, correlation_id, reason, dry_run } = super.command;
    if (dry_run) throw invalidHeader('The factory does not support the header Dry-Run.');
    return { credential, correlation_id, reason, idempotency: null };
  }
}
