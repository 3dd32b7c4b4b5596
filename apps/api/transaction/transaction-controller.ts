import { Body, Controller, Inject, Post, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import {
  RunTransaction,
  type TransactionStep,
} from '../../../libs/application/transaction/transaction.js';
import { answer } from '../drive/drive-api.js';
import { DriveGuard } from '../drive/drive-guard.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { revisionOf } from '../drive/entity-tags.js';
import { ApiError } from '../platform/errors.js';
import { REFUSAL_TYPES } from '../refusals.js';
import { ApiData, ApiErrors } from '../platform/openapi-decorators.js';
import { CommandRoutes } from './routes.js';
import {
  TransactionBody,
  type TransactionCommandBody,
  TransactionRecord,
} from './transaction-bodies.js';

@ApiTags('organization')
@Controller('v1/drive/:organization_id')
@UseGuards(DriveGuard)
export class TransactionController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(CommandRoutes) private readonly routes: CommandRoutes,
  ) {}

  /** Commands decided in order on one state and stored in one write, all of them or none. */
  @Post('transaction')
  @ApiData(TransactionRecord)
  @ApiErrors(...REFUSAL_TYPES)
  run(@Call() call: DriveRequest, @Body() body: TransactionBody) {
    const steps = body.commands.map((command, index) => this.step(call, command, index));
    const running = new RunTransaction(call.drive_id, steps, call.command);
    return answer(call.reply, this.commands.execute(running));
  }

  private step(
    call: DriveRequest,
    { path, body = {}, if_match }: TransactionCommandBody,
    index: number,
  ): TransactionStep {
    const token = this.routes.tokenRule(path);
    if (!token) throw invalid(index, 'path', 'is no command that a transaction takes');
    const allowed = if_match === undefined ? undefined : revisionOf(if_match);
    if (Number.isNaN(allowed)) throw invalid(index, 'if_match', 'must be "n", "n.h" or *');
    return {
      body,
      credential: token === 'ignored' ? { kind: 'code' } : call.credential,
      if_match: allowed,
      command: (resolved) => {
        try {
          const made = this.routes.command(path, call, resolved);
          if (made) return made;
        } catch (error) {
          throw error instanceof ApiError ? error.with({ index }) : error;
        }
        throw invalid(index, 'path', 'is no command that a transaction takes');
      },
      unresolved: (reference) =>
        invalid(index, 'body', `refers to ${reference}, which no earlier result has`),
    };
  }
}

function invalid(index: number, field: string, reason: string): ApiError {
  const pointer = `/commands/${index}/${field}`;
  return ApiError.invalid([{ pointer, reason }]).with({ index });
}
