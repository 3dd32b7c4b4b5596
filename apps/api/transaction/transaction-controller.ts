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
import { operationAt } from '../drive/operation.js';
import { ApiError } from '../platform/errors.js';
import { ApiData, Operation } from '../platform/openapi/openapi-decorators.js';
import { fieldsOf } from '../platform/requests/reader.js';
import { Settings } from '../platform/settings/settings.js';
import { readBody } from '../platform/requests/validation.js';
import { REFUSAL_TYPES } from '../refusals.js';
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
    @Inject(Settings) private readonly settings: Settings,
  ) {}

  @Post('transaction')
  @ApiData(TransactionRecord)
  @Operation({
    summary: 'Several commands, all of them or none',
    description:
      'Decided in order on one state and stored in one write. A text like `$0.id` in a field that the body ' +
      'declares stands for that field of an earlier result; with what they stand for, the bodies together ' +
      'are no longer than one request body may be, and the results no longer than ' +
      'TRANSACTION_ANSWER_BYTES (413). The first refusal stops it: nothing is stored, and ' +
      'its status and error are answered with `index`. Each command keeps its own rules about callers. ' +
      'Idempotency-Key, Dry-Run and Audit-Reason are for the whole. No reads, and no transaction, ' +
      'organization/reindex, contacts/erase, directory/action, webhooks/replay or webhooks/test.',
    errors: REFUSAL_TYPES,
  })
  run(@Call() call: DriveRequest, @Body() body: TransactionBody) {
    const steps = body.commands.map((command, index) => this.step(call, command, index));
    const { body_limit_bytes } = this.settings;
    const running = new RunTransaction(call.drive_id, steps, call.command, body_limit_bytes);
    return answer(call.reply, this.commands.execute(running));
  }

  private step(
    call: DriveRequest,
    { path, body = {}, if_match }: TransactionCommandBody,
    index: number,
  ): TransactionStep {
    const operation = operationAt(path);
    if (!operation) throw notTaken(index);
    const allowed = if_match === undefined ? undefined : revisionOf(if_match);
    if (Number.isNaN(allowed)) throw invalid(index, 'if_match', 'must be "n", "n.h" or *');
    const limit = this.settings.body_limit_bytes;
    return {
      body,
      fields: fieldsOf(operation.body),
      credential: operation.by_code ? { kind: 'code' } : call.credential,
      if_match: allowed,
      read: (resolved) => {
        try {
          const told = operation.read(readBody(resolved, operation.body) as object, this.settings);
          if (told) return told;
        } catch (error) {
          throw error instanceof ApiError ? error.with({ index }) : error;
        }
        throw notTaken(index);
      },
      unresolved: (reference) =>
        invalid(index, 'body', `refers to ${reference}, which no earlier result has`),
      too_long: () => tooLong(index, limit),
    };
  }
}

function notTaken(index: number): ApiError {
  return invalid(index, 'path', 'is no command that a transaction takes');
}

function tooLong(index: number, limit: number): ApiError {
  const reason = `brings the bodies beyond ${limit} bytes with what their references stand for`;
  return ApiError.of('request.too-large', {
    message: `commands/${index}/body ${reason}.`,
    details: [{ pointer: `/commands/${index}/body`, reason, limit }],
  }).with({ index });
}

function invalid(index: number, field: string, reason: string): ApiError {
  const pointer = `/commands/${index}/${field}`;
  return ApiError.invalid([{ pointer, reason }]).with({ index });
}
