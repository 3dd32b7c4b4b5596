import { Body, Inject, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  RunTransaction,
  type TransactionStep,
} from '../../../libs/application/transaction/transaction.js';
import { respond } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { revisionOf } from '../drive/entity-tags.js';
import { commandAt } from '../drive/command-routes.js';
import { ApiError } from '../platform/errors.js';
import { ApiData, Operation } from '../platform/openapi/openapi-decorators.js';
import { fieldsOf } from '../platform/requests/reader.js';
import { Settings } from '../platform/settings/settings.js';
import { readBody } from '../platform/requests/validation.js';
import { REFUSAL_TYPES } from '../refusals.js';
import { DriveController } from '../drive/drive-controller.js';
import {
  TransactionBody,
  type TransactionCommandBody,
  transactionView,
} from './transaction-bodies.js';

@DriveController('', 'transactions')
export class TransactionController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(Settings) private readonly settings: Settings,
  ) {}

  @Post('transaction')
  @ApiData(transactionView)
  @Operation({
    id: 'runTransaction',
    summary: 'Run several commands atomically',
    description:
      'The commands are decided in order against one state and stored in one write. A string such as `$0.id` ' +
      'in a declared field of a body refers to a field of an earlier result. The bodies with resolved ' +
      'references must fit in one request body, the results in TRANSACTION_ANSWER_BYTES (413). If a command ' +
      'is refused, nothing is stored, and the response has its status and error with its `index`. Each ' +
      'command requires its usual permissions. Idempotency-Key, Dry-Run and Audit-Reason apply to the whole ' +
      'transaction. Not allowed are reads, transaction, organization/reindex, contacts/erase, ' +
      'directory/action, webhooks/replay and webhooks/test.',
    errors: REFUSAL_TYPES,
  })
  run(@Call() call: DriveRequest, @Body() body: TransactionBody) {
    const steps = body.commands.map((command, index) => this.step(call, command, index));
    const { body_limit_bytes } = this.settings;
    const running = new RunTransaction(call.drive_id, steps, call.command, body_limit_bytes);
    return respond(call.reply, this.commands.execute(running));
  }

  private step(
    call: DriveRequest,
    { path, body = {}, if_match }: TransactionCommandBody,
    index: number,
  ): TransactionStep {
    const accepted = commandAt(path);
    if (!accepted) throw notAccepted(index);
    const allowed = if_match === undefined ? undefined : revisionOf(if_match);
    if (Number.isNaN(allowed)) throw invalid(index, 'if_match', 'must be "n", "n.h" or *');
    const limit = this.settings.body_limit_bytes;
    return {
      path,
      body,
      fields: fieldsOf(accepted.body),
      credential: accepted.by_code ? { kind: 'code' } : call.credential,
      if_match: allowed,
      read: (resolved) => {
        try {
          const read = readBody(resolved, accepted.body) as object;
          const command = accepted.read(call, read, this.settings);
          if (command) return command;
        } catch (error) {
          throw error instanceof ApiError ? error.with({ index }) : error;
        }
        throw invalid(index, 'body', 'asks for a read, which transactions do not accept');
      },
      unresolved: (reference) =>
        invalid(index, 'body', `refers to ${reference}, which no earlier result has`),
      too_long: () => tooLong(index, limit),
      unstable: () =>
        invalid(index, 'body', 'refers to results that differ each time the commands are decided'),
    };
  }
}

function notAccepted(index: number): ApiError {
  return invalid(index, 'path', 'must be the path of a command that transactions accept');
}

function tooLong(index: number, limit: number): ApiError {
  const reason = `exceeds ${limit} bytes for all bodies with resolved references`;
  return ApiError.of('request.too-large', {
    message: `commands/${index}/body ${reason}.`,
    details: [{ pointer: `/commands/${index}/body`, reason, limit }],
  }).with({ index });
}

function invalid(index: number, field: string, reason: string): ApiError {
  const pointer = `/commands/${index}/${field}`;
  return ApiError.invalid([{ pointer, reason }]).with({ index });
}
