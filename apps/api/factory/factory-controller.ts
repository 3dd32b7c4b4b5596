import { Body, Controller, Get, Inject, Post, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { DumpFactory, Migrate } from '../../../libs/application/factory/administration.js';
import { Quickstart } from '../../../libs/application/factory/quickstart.js';
import { answer, DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { TOKEN_ERRORS } from '../platform/errors.js';
import { ApiData, ApiOpen, ApiRead, Operation } from '../platform/openapi/openapi-decorators.js';
import { ADMIN, CLOSED } from '../phrases.js';
import { Settings } from '../platform/settings/settings.js';
import { AdminBody, diskSettings, QuickstartBody } from './factory-bodies.js';
import { FactoryGuard, KeyRequired } from './factory-guard.js';
import { MigrationRecord, QuickstartRecord } from './factory-records.js';

@ApiTags('factory')
@Controller('v1/factory')
@UseGuards(FactoryGuard)
export class FactoryController {
  constructor(
    @Inject(DriveApi) private readonly api: DriveApi,
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(Settings) private readonly settings: Settings,
  ) {}

  @Post('quickstart')
  @ApiOpen()
  @ApiData(QuickstartRecord, 'The only time the keys are shown')
  @Operation({
    summary: 'Make an organization with admin, members, keys and (if wanted) a disk',
    description: `The only time the key values are shown. The same secret_entropy gives the same user. ${CLOSED}`,
    errors: [...TOKEN_ERRORS, 'request.events-too-large'],
  })
  quickstart(@Call() call: DriveRequest, @Body() body: QuickstartBody) {
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
      call.command,
    );
    return answer(call.reply, this.commands.execute(command));
  }

  @Get('snapshot')
  @KeyRequired()
  @ApiData({ schema: { type: 'object', additionalProperties: true } })
  @Operation({
    summary: 'All that the factory knows, for debugging',
    description: `${ADMIN} 403 in production. Gift cards, and the organizations there are; secrets masked.`,
    errors: ['permission.denied'],
  })
  snapshot(@Call() call: DriveRequest) {
    return this.api.ask(call, DumpFactory, { production: this.settings.production });
  }

  @Post('helpers/migrate')
  @ApiRead()
  @KeyRequired()
  @ApiData(MigrationRecord)
  @Operation({
    summary: 'Bring stored data into the form of this release',
    description:
      `${ADMIN} Changes nothing: stored events are read in the form in which they were written, and what ` +
      'is derived from them is made anew when it is needed. The body is not looked at.',
    errors: ['permission.denied'],
  })
  migrate(@Call() call: DriveRequest, @Body() _: object) {
    return this.api.ask(call, Migrate, {});
  }
}
