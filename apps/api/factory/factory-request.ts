import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FactoryKey } from '../../../libs/domain/access/caller.js';
import type { CommandRequest } from '../../../libs/engine/writer/call.js';
import { FACTORY_ID } from '../../../libs/engine/fold/fold.js';
import { guardError } from '../refusals.js';
import { DriveRequest } from '../drive/drive-request.js';

/** A request to the factory, whose stream is handled like a drive. */
export class FactoryRequest extends DriveRequest {
  constructor(key: FactoryKey | null, request: FastifyRequest, reply: FastifyReply) {
    super(FACTORY_ID, { kind: 'factory', ...(key && { key }) }, [''], undefined, request, reply);
  }

  /**
   * Callers without a key cannot be told apart, so none of them owns an Idempotency-Key; and an
   * organization cannot be created in a dry run, which must not execute by mistake.
   */
  override get command(): CommandRequest {
    const { credential, correlation_id, reason, dry_run } = super.command;
    if (dry_run)
      throw guardError('request.invalid-header', 'The factory does not take the header Dry-Run.');
    return { credential, correlation_id, reason, idempotency: null };
  }
}
