import type { CommandDefinition } from '../drive/decision.js';
import type { CreateGroup, DeleteGroup, UpdateGroup } from './commands.js';
import { createGroup, deleteGroup, updateGroup } from './decide.js';
import { type GroupView, presentGroup } from './view.js';

/** What deletions answer. */
export interface Deleted {
  id: string;
  deleted: true;
}

export const groupCommands = {
  CreateGroup: {
    name: 'CreateGroup',
    decide: createGroup,
    answer: (context, { id, fresh }) =>
      presentGroup(context, context.state.groups.get(id ?? fresh.group_id)!),
  } satisfies CommandDefinition<CreateGroup, GroupView>,

  UpdateGroup: {
    name: 'UpdateGroup',
    decide: updateGroup,
    answer: (context, { id }) => presentGroup(context, context.state.groups.get(id)!),
  } satisfies CommandDefinition<UpdateGroup, GroupView>,

  DeleteGroup: {
    name: 'DeleteGroup',
    decide: deleteGroup,
    answer: (_, { id }) => ({ id, deleted: true }),
  } satisfies CommandDefinition<DeleteGroup, Deleted>,
};
