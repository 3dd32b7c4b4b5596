import {
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { tokenOf } from '../drive/credentials.js';
import type { GuardedRequest } from '../drive/drive-request.js';
import { ApiError, type PlatformErrorType } from '../platform/errors.js';
import { RateGate } from '../platform/rate-limit.js';
import { Settings } from '../platform/settings/settings.js';
import { FactoryKeys } from './factory-keys.js';
import { FactoryRequest } from './factory-request.js';

const KEY_REQUIRED = 'factory:key-required';

/** Requires a factory key for the route in free mode, too. The command decides what the key allows. */
export const KeyRequired = (): MethodDecorator => SetMetadata(KEY_REQUIRED, true);

/**
 * The guard of every factory operation. It checks the rate limits, in total and per client address
 * (429), then the key (401). In free mode most routes need no key and ignore a token that is not a
 * factory key; in closed mode every route requires one.
 */
@Injectable()
export class FactoryGuard implements CanActivate {
  constructor(
    @Inject(FactoryKeys) private readonly keys: FactoryKeys,
    @Inject(RateGate) private readonly rate_gate: RateGate,
    @Inject(Settings) private readonly settings: Settings,
    @Inject(Reflector) private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<GuardedRequest>();
    const reply = http.getResponse<FastifyReply>();
    await this.count(1, reply);
    const token = tokenOf(request);
    const key = token === null ? null : this.keys.of(token);
    const is_open =
      this.settings.factory_free_mode &&
      !this.reflector.get<boolean | undefined>(KEY_REQUIRED, context.getHandler());
    if (!key && !is_open) throw ApiError.of(flawOf(token));
    request.drive_request = new FactoryRequest(key, request, reply);
    return true;
  }

  /** Counts so many requests of a client: an expensive one as more than one. @throws ApiError 429 */
  async count(requests: number, reply: FastifyReply): Promise<void> {
    const { rate_limit_factory, rate_limit_factory_client } = this.settings;
    const checks = [
      { policy: 'factory-client', key: reply.request.ip, limit: rate_limit_factory_client },
      { policy: 'factory', key: '', limit: rate_limit_factory },
    ];
    const verdict = await this.rate_gate.pass(checks, requests);
    void reply.headers(verdict.headers);
    if (verdict.error) throw verdict.error;
  }
}

/** A factory key can be any text, so only an empty token is malformed. */
function flawOf(token: string | null): PlatformErrorType {
  if (token === null) return 'token.missing';
  return token === '' ? 'token.malformed' : 'token.invalid';
}
