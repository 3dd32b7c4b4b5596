import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateGate } from '../platform/rate-limit.js';
import { Settings } from '../platform/settings.js';

/** Counts factory operations, in total and per client address. Tokens are not looked at. */
@Injectable()
export class FactoryGuard implements CanActivate {
  constructor(
    @Inject(RateGate) private readonly rate_gate: RateGate,
    @Inject(Settings) private readonly settings: Settings,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { ip } = http.getRequest<FastifyRequest>();
    const { rate_limit_factory, rate_limit_factory_client } = this.settings;
    const verdict = await this.rate_gate.pass([
      { policy: 'factory-client', key: ip, limit: rate_limit_factory_client },
      { policy: 'factory', key: '', limit: rate_limit_factory },
    ]);
    void http.getResponse<FastifyReply>().headers(verdict.headers);
    if (verdict.error) throw verdict.error;
    return true;
  }
}
