import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Credential } from '../../../libs/domain/access/caller.js';
import type { CommandRequest } from '../../../libs/engine/call.js';

/** What the guard found out about a request to a drive; handlers take it as their first parameter. */
export interface DriveRequest {
  readonly drive_id: string;
  readonly credential: Credential;
  /** What commands store with their events. */
  readonly command: CommandRequest;
  readonly reply: FastifyReply;
}

/** A request that the drive guard has let through. */
export interface GuardedRequest extends FastifyRequest {
  drive_request?: DriveRequest;
}

/** The drive request of a handler behind `DriveGuard`. */
export const Call = createParamDecorator((_: unknown, context: ExecutionContext): DriveRequest => {
  const { drive_request } = context.switchToHttp().getRequest<GuardedRequest>();
  if (!drive_request) throw new Error('@Call() needs a route behind DriveGuard');
  return drive_request;
});
