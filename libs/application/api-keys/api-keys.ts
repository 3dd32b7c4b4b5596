import type {
  CreateApiKey as CreateApiKeyCommand,
  UpdateApiKey as UpdateApiKeyCommand,
} from '../../domain/api-keys/commands.js';
import { apiKeyCommands } from '../../domain/api-keys/definitions.js';
import { apiKeyReads, listApiKeys } from '../../domain/api-keys/reads.js';
import type { ApiKeyView } from '../../domain/api-keys/view.js';
import type { Deleted } from '../../domain/foundation/deleted.js';
import { DriveCommand, driveCommandHandler } from '../drive-command.js';
import { DriveQuery, driveQueryHandler } from '../drive-query.js';
import { freshApiKey } from '../factory/quickstart.js';
import { answerFrom, readRecord } from '../read-record.js';

export class CreateApiKey extends DriveCommand<Omit<CreateApiKeyCommand, 'fresh'>, ApiKeyView> {}
export class UpdateApiKey extends DriveCommand<UpdateApiKeyCommand, ApiKeyView> {}
export class DeleteApiKey extends DriveCommand<{ id: string }, Deleted> {}

export class GetApiKey extends DriveQuery<{ id: string }, ApiKeyView> {}
export class ListApiKeys extends DriveQuery<{ user_id: string }, ApiKeyView[]> {}

export const apiKeyHandlers = [
  driveCommandHandler(CreateApiKey, apiKeyCommands.CreateApiKey, (input) => ({
    ...input,
    fresh: freshApiKey(),
  })),
  driveCommandHandler(UpdateApiKey, apiKeyCommands.UpdateApiKey, (input) => input),
  driveCommandHandler(DeleteApiKey, apiKeyCommands.DeleteApiKey, (input) => input),
  driveQueryHandler(GetApiKey, (drives, reader, { id }) =>
    readRecord(drives, apiKeyReads, reader, id),
  ),
  driveQueryHandler(ListApiKeys, (drives, reader, { user_id }) =>
    answerFrom(drives, reader, (context) => listApiKeys(context, user_id)),
  ),
];
