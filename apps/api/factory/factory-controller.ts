import { Body, Controller, Get, Inject, Post, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { DumpFactory, Migrate } from '../../../libs/application/factory/administration.js';
import { Quickstart } from '../../../libs/application/factory/quickstart.js';
import { answer, DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { TOKEN_ERRORS } from '../platform/errors.js';
import { ApiData, ApiErrors, ApiOpen, ApiRead } from '../platform/openapi/openapi-decorators.js';
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

  /** Makes an organization with its admin, members, keys and (if wanted) a disk, ready for use. */
  @Post('quickstart')
  @ApiOpen()
  @ApiData(QuickstartRecord, 'The only time the keys are shown')
  @ApiErrors(...TOKEN_ERRORS, 'request.events-too-large')
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

  /** All that the factory knows, for debugging; refused in production. */
  @Get('snapshot')
  @KeyRequired()
  @ApiData({ schema: { type: 'object', additionalProperties: true } })
  @ApiErrors('permission.denied')
  snapshot(@Call() call: DriveRequest) {
    return this.api.ask(call, DumpFactory, { production: this.settings.production });
  }

  @Post('helpers/migrate')
  @ApiRead()
  @KeyRequired()
  @ApiData(MigrationRecord)
  @ApiErrors('permission.denied')
  migrate(@Call() call: DriveRequest, @Body() _: object) {
    return this.api.ask(call, Migrate, {});
  }
}
