import type {
  CreateGroup as CreateGroupCommand,
  UpdateGroup as UpdateGroupCommand,
} from '../../domain/groups/commands.js';
import type { Deleted } from '../../domain/foundation/deleted.js';
import { groupCommands } from '../../domain/groups/definitions.js';
import { groupReads } from '../../domain/groups/reads.js';
import type { GroupView } from '../../domain/groups/view.js';
import { PREFIX } from '../../domain/kernel/ids.js';
import { DriveCommand, driveCommandHandler } from '../drive-command.js';
import { DriveQuery, driveQueryHandler } from '../drive-query.js';
import { fresh } from '../fresh.js';
import { type ListInput, type ListPage, listRecords } from '../list-records.js';
import { readRecord } from '../read-record.js';

export class CreateGroup extends DriveCommand<Omit<CreateGroupCommand, 'fresh'>, GroupView> {}
export class UpdateGroup extends DriveCommand<UpdateGroupCommand, GroupView> {}
export class DeleteGroup extends DriveCommand<{ id: string }, Deleted> {}

export class GetGroup extends DriveQuery<{ id: string }, GroupView> {}
export class ListGroups extends DriveQuery<ListInput, ListPage<GroupView>> {}

export const groupHandlers = [
  driveCommandHandler(CreateGroup, groupCommands.CreateGroup, (input) => ({
    ...input,
    fresh: { group_id: fresh.id(PREFIX.group), invite_id: fresh.id(PREFIX.invite) },
  })),
  driveCommandHandler(UpdateGroup, groupCommands.UpdateGroup, (input) => input),
  driveCommandHandler(DeleteGroup, groupCommands.DeleteGroup, (input) => input),
  driveQueryHandler(GetGroup, (drives, reader, { id }) =>
    readRecord(drives, groupReads, reader, id),
  ),
  driveQueryHandler(ListGroups, (drives, reader, input) =>
    listRecords(drives, groupReads, reader, input),
  ),
];
