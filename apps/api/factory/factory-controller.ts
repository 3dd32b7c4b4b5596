import { Body, Controller, Inject, Post, Req, Res, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Quickstart } from '../../../libs/application/factory/quickstart.js';
import { answer } from '../drive/drive-api.js';
import { ApiData, ApiErrors, ApiOpen } from '../platform/openapi-decorators.js';
import { AdminBody, QuickstartBody } from './factory-bodies.js';
import { FactoryGuard } from './factory-guard.js';
import { QuickstartRecord } from './factory-records.js';

@ApiTags('factory')
@Controller('v1/factory')
@UseGuards(FactoryGuard)
export class FactoryController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  /** Makes an organization with its admin, members, keys and (if wanted) a disk, ready for use. */
  @Post('quickstart')
  @ApiOpen()
  @ApiData(QuickstartRecord, 'The only time the keys are shown')
  @ApiErrors('request.events-too-large')
  quickstart(
    @Body() body: QuickstartBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { bundled_default_disk: disk, admin, members, ...organization } = body;
    const command = new Quickstart(
      {
        ...organization,
        admin: admin ?? Object.assign(new AdminBody(), { name: 'Admin' }),
        members: (members ?? []).map((member, at) => ({
          ...member,
          name: member.name ?? `Member ${at + 1}`,
        })),
        ...(disk && { bundled_default_disk: diskSettings(disk) }),
      },
      {
        credential: { kind: 'factory' },
        correlation_id: request.id,
        reason: null,
        idempotency: null,
      },
    );
    return answer(reply, this.commands.execute(command));
  }
}

function diskSettings({
  billing_url,
  auth_json,
  ...disk
}: NonNullable<QuickstartBody['bundled_default_disk']>) {
  return {
    ...disk,
    ...(billing_url !== undefined && { endpoint: billing_url }),
    ...(auth_json && { auth_json: JSON.stringify(auth_json) }),
  };
}
