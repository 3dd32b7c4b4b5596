import type {
  CreateDisk as CreateDiskCommand,
  UpdateDisk as UpdateDiskCommand,
} from '../../domain/disks/commands.js';
import { diskCommands } from '../../domain/disks/definitions.js';
import { diskReads } from '../../domain/disks/reads.js';
import type { DiskView } from '../../domain/disks/view.js';
import type { Deleted } from '../../domain/foundation/deleted.js';
import { DriveCommand, driveCommandHandler } from '../drive-command.js';
import { DriveQuery, driveQueryHandler } from '../drive-query.js';
import { freshDisk } from '../factory/quickstart.js';
import { type ListInput, type ListPage, listRecords } from '../list-records.js';
import { readRecord } from '../read-record.js';

export class CreateDisk extends DriveCommand<Omit<CreateDiskCommand, 'fresh'>, DiskView> {}
export class UpdateDisk extends DriveCommand<UpdateDiskCommand, DiskView> {}
export class DeleteDisk extends DriveCommand<{ id: string }, Deleted> {}

export class GetDisk extends DriveQuery<{ id: string }, DiskView> {}
export class ListDisks extends DriveQuery<ListInput, ListPage<DiskView>> {}

export const diskHandlers = [
  driveCommandHandler(CreateDisk, diskCommands.CreateDisk, (input) => ({
    ...input,
    fresh: freshDisk(),
  })),
  driveCommandHandler(UpdateDisk, diskCommands.UpdateDisk, (input) => input),
  driveCommandHandler(DeleteDisk, diskCommands.DeleteDisk, (input) => input),
  driveQueryHandler(GetDisk, (drives, reader, { id }) => readRecord(drives, diskReads, reader, id)),
  driveQueryHandler(ListDisks, (drives, reader, input) =>
    listRecords(drives, diskReads, reader, input),
  ),
];
