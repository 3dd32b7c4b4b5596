import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GetWhoAmI } from '../../../libs/application/organization/organization.js';
import type { WhoAmIView } from '../../../libs/domain/organization/reads.js';
import { isRefused } from '../../../libs/engine/writer/call.js';
import { Drives } from '../../../libs/engine/drives/drives.js';
import { readLoginToken } from '../../../libs/identity/login-link.js';
import { Credentials } from '../drive/credentials.js';
import { throwUnavailable } from '../drive/drive-api.js';
import { RateGate } from '../platform/rate-limit.js';
import { Settings } from '../platform/settings/settings.js';
import { Registered } from '../platform/controllers.js';
import { PAGE_HEADERS, signInPage } from './sign-in-page.js';

/** The page of sign-in links, used if no web client is configured. It is for people, not an API operation. */
@ApiExcludeController()
@Registered
@Controller()
export class SignInController {
  constructor(
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(Drives) private readonly drives: Drives,
    @Inject(Credentials) private readonly credentials: Credentials,
    @Inject(RateGate) private readonly rate_gate: RateGate,
    @Inject(Settings) private readonly settings: Settings,
  ) {}

  @Get('auto-login')
  async page(
    @Query('token') token: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const who = typeof token === 'string' ? await this.userOf(token, request.ip, reply) : null;
    void reply.code(who ? 200 : 404).headers(PAGE_HEADERS);
    return signInPage(who, this.drives.settings.host_url);
  }

  /** The user of a link, as stored in the organization. Data that is only in the link is not shown. */
  private async userOf(
    token: string,
    address: string,
    reply: FastifyReply,
  ): Promise<WhoAmIView | null> {
    const link = readLoginToken(token);
    if (!link || !(await this.drives.exists(link.org_id).catch(throwUnavailable))) return null;
    await this.limit(link.org_id, address, reply);
    const credential = await this.credentials.of(link.profile_api_key, link.org_id);
    if (typeof credential === 'string' || credential.kind !== 'api_key') return null;
    const query = new GetWhoAmI({ drive_id: link.org_id, credential }, {});
    const outcome = await this.queries.execute(query).catch(throwUnavailable);
    return isRefused(outcome) ? null : (outcome.data as WhoAmIView);
  }

  /** Applies the same rate limits as to any request to the organization. */
  private async limit(drive_id: string, address: string, reply: FastifyReply): Promise<void> {
    const { rate_limit_client, rate_limit_drive } = this.settings;
    const { headers, error } = await this.rate_gate.pass([
      { policy: 'client', key: `${drive_id} ${address}`, limit: rate_limit_client },
      { policy: 'drive', key: drive_id, limit: rate_limit_drive },
    ]);
    void reply.headers(headers);
    if (error) throw error;
  }
}
