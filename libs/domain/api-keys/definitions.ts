import type { CommandDefinition, GeneratingCommand } from '../foundation/decision.js';
import { deletion } from '../foundation/deleted.js';
import { bodyOf } from '../kernel/fields.js';
import {
  type CreateApiKey,
  type DeleteApiKey,
  freshApiKey,
  type UpdateApiKey,
} from './commands.js';
import { createApiKey, deleteApiKey, updateApiKey } from './decide.js';
import { type ApiKeyView, presentApiKey } from './view.js';

export const apiKeyCommands = {
  CreateApiKey: {
    name: 'CreateApiKey',
    decide: createApiKey,
    generate: freshApiKey,
    // The only answer that contains the token.
    answer(context, { fresh }, events) {
      const { api_key_id } = bodyOf(events, 'ApiKeyCreated')!;
      const view = presentApiKey(context, context.state.api_keys.get(api_key_id)!);
      return context.masked ? view : { ...view, value: fresh.value };
    },
  } satisfies GeneratingCommand<CreateApiKey, ApiKeyView>,

  UpdateApiKey: {
    name: 'UpdateApiKey',
    decide: updateApiKey,
    answer: (context, { id }) => presentApiKey(context, context.state.api_keys.get(id)!),
  } satisfies CommandDefinition<UpdateApiKey, ApiKeyView>,

  DeleteApiKey: deletion<DeleteApiKey>('DeleteApiKey', deleteApiKey),
};
