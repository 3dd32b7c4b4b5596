import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { TUS_VERSION } from './tus-headers.js';

/** Names the version of the protocol in every response, errors of other guards included. It admits all requests. */
@Injectable()
export class TusGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const [, reply] = context.getArgs<[unknown, FastifyReply]>();
    void reply.header('tus-resumable', TUS_VERSION);
    return true;
  }
}
