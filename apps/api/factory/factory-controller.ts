import { Body, Controller, Get, Inject, Post, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import {
  DumpFactory,
  Migrate,
  migrationView,
} from '../../../libs/application/factory/administration.js';
import { Quickstart, quickstartView } from '../../../libs/application/factory/quickstart.js';
import { object } from '../../../libs/domain/kernel/view.js';
import { respond, DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { TOKEN_ERRORS } from '../platform/errors.js';
import { ApiData, ApiNoToken, ApiRead, Operation } from '../platform/openapi/openapi-decorators.js';
import { ADMIN, CLOSED } from '../phrases.js';
import { Settings } from '../platform/settings/settings.js';
import { Registered } from '../platform/controllers.js';
import { AdminBody, diskSettings, QuickstartBody } from './factory-bodies.js';
import { FactoryGuard, KeyRequired } from './factory-guard.js';

@Registered
@ApiTags('onboarding')
@Controller('v1/factory')
@UseGuards(FactoryGuard)
export class FactoryController {
  constructor(
    @Inject(DriveApi) private readonly api: DriveApi,
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(Settings) private readonly settings: Settings,
    @Inject(FactoryGuard) private readonly guard: FactoryGuard,
  ) {}

  @Post('quickstart')
  @ApiNoToken()
  @ApiData(quickstartView, 'Success; the keys are shown only here')
  @Operation({
    id: 'createOrganization',
    summary: 'Create an organization with an admin, members, API keys and optionally a disk',
    description:
      'Only this response contains the values of the keys. The same secret_entropy gives the same user; each one ' +
      `counts as another request for the rate limits. ${CLOSED}`,
    errors: [...TOKEN_ERRORS, 'request.events-too-large'],
  })
  async quickstart(@Call() call: DriveRequest, @Body() body: QuickstartBody) {
    const { bundled_default_disk: disk, admin, members, ...organization } = body;
    const people = [admin, ...(members ?? [])];
    const derived = people.filter((person) => person?.secret_entropy !== undefined).length;
    // Deriving an identity takes longer than most requests.
    if (derived > 0) await this.guard.count(derived, call.reply);
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
    return respond(call.reply, this.commands.execute(command));
  }

  @Get('snapshot')
  @KeyRequired()
  @ApiData(object())
  @Operation({
    id: 'exportFactory',
    summary: 'Export the state of the factory for debugging',
    description: `${ADMIN} 403 in production. Returns all gift cards and organizations; secrets are masked.`,
    errors: ['permission.denied'],
  })
  snapshot(@Call() call: DriveRequest) {
    return this.api.query(call, DumpFactory, { production: this.settings.production });
  }

  @Post('helpers/migrate')
  @ApiRead()
  @KeyRequired()
  @ApiData(migrationView)
  @Operation({
    id: 'migrateFactory',
    summary: 'Migrate stored data to the current release',
    description:
      `${ADMIN} Does nothing, because no migration is necessary: the service reads events of every release ` +
      'and rebuilds derived data when needed. The body is ignored.',
    errors: ['permission.denied'],
  })
  migrate(@Call() call: DriveRequest, @Body() _: object) {
    return this.api.query(call, Migrate, {});
  }
}
