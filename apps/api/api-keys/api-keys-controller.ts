import { Body, Get, Param, Post } from '@nestjs/common';
import { apiKeyReads, apiKeyView } from '../../../libs/domain/api-keys/reads.js';
import { getQuery } from '../../../libs/application/drive-query.js';
import { driveCommand } from '../../../libs/application/drive-command.js';
import { apiKeyCommands } from '../../../libs/domain/api-keys/commands.js';
import { ListApiKeys } from '../../../libs/application/api-keys/api-keys.js';
import { deletedView } from '../../../libs/domain/foundation/record-answers.js';
import { listOf } from '../../../libs/domain/kernel/view.js';
import { ReadRoute } from '../drive/as-of.js';
import { DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { CommandRoute } from '../drive/command-routes.js';
import { IdPipe } from '../platform/requests/validation.js';
import { DriveController } from '../drive/drive-controller.js';
import { CreateApiKeyBody, DeleteApiKeyBody, UpdateApiKeyBody } from './api-key-bodies.js';

const getApiKey = getQuery('GetApiKey', apiKeyReads);

const createApiKey = driveCommand(apiKeyCommands.CreateApiKey);
const updateApiKey = driveCommand(apiKeyCommands.UpdateApiKey);
const deleteApiKey = driveCommand(apiKeyCommands.DeleteApiKey);

@DriveController('api_keys', 'api keys')
export class ApiKeysController {
  constructor(private readonly api: DriveApi) {}

  @ReadRoute(Get('get/:api_key_id'), apiKeyView, {
    id: 'getApiKey',
    summary: 'Read an API key',
    description: 'The value is masked.',
    errors: ['permission.denied', 'api-key.not-found'],
  })
  get(@Call() call: DriveRequest, @Param('api_key_id', new IdPipe('ApiKeyID_')) id: string) {
    return this.api.query(call, getApiKey, { id });
  }

  @ReadRoute(Post('list/:user_id'), listOf(apiKeyView), {
    id: 'listApiKeys',
    summary: 'List the API keys of a user, newest first',
    description: '`data` is an array without pages.',
    errors: ['permission.denied'],
  })
  list(
    @Call() call: DriveRequest,
    @Param('user_id', new IdPipe('UserID_')) user_id: string,
    @Body() _: object,
  ) {
    return this.api.query(call, ListApiKeys, { user_id });
  }

  @CommandRoute('create', apiKeyView, {
    id: 'createApiKey',
    summary: 'Create an API key',
    description:
      'Only this response contains the value. A caller whose own key expires cannot create a key that ' +
      'expires later.',
    errors: ['permission.denied', 'permission.ceiling', 'contact.not-found', 'request.id-in-use'],
  })
  create(@Call() call: DriveRequest, @Body() body: CreateApiKeyBody) {
    return this.api.run(call, createApiKey, body);
  }

  @CommandRoute('update', apiKeyView, {
    id: 'updateApiKey',
    summary: 'Update or revoke an API key',
    description:
      'Only the owner may restore a revoked key. A caller whose own key expires can neither extend nor ' +
      'restore a key so that it expires later.',
    errors: [
      'permission.denied',
      'permission.ceiling',
      'api-key.not-found',
      'request.nothing-to-update',
    ],
  })
  update(@Call() call: DriveRequest, @Body() body: UpdateApiKeyBody) {
    return this.api.run(call, updateApiKey, body);
  }

  @CommandRoute('delete', deletedView, {
    id: 'deleteApiKey',
    summary: 'Delete an API key',
    description: 'A key may delete itself.',
    errors: ['permission.denied', 'api-key.not-found'],
  })
  delete(@Call() call: DriveRequest, @Body() body: DeleteApiKeyBody) {
    return this.api.run(call, deleteApiKey, body);
  }
}
