import type { Deleted } from '../../domain/foundation/deleted.js';
import type {
  CreateKnownDrive as CreateKnownDriveCommand,
  UpdateKnownDrive as UpdateKnownDriveCommand,
} from '../../domain/known-drives/commands.js';
import { knownDriveCommands } from '../../domain/known-drives/definitions.js';
import { knownDriveReads } from '../../domain/known-drives/reads.js';
import type { KnownDriveView } from '../../domain/known-drives/view.js';
import { DriveCommand, driveCommandHandler } from '../drive-command.js';
import { DriveQuery, driveQueryHandler } from '../drive-query.js';
import { type ListInput, type ListPage, listRecords } from '../list-records.js';
import { readRecord } from '../read-record.js';

export class CreateKnownDrive extends DriveCommand<CreateKnownDriveCommand, KnownDriveView> {}
export class UpdateKnownDrive extends DriveCommand<UpdateKnownDriveCommand, KnownDriveView> {}
export class DeleteKnownDrive extends DriveCommand<{ id: string }, Deleted> {}

export class GetKnownDrive extends DriveQuery<{ id: string }, KnownDriveView> {}
export class ListKnownDrives extends DriveQuery<ListInput, ListPage<KnownDriveView>> {}

export const knownDriveHandlers = [
  driveCommandHandler(CreateKnownDrive, knownDriveCommands.CreateKnownDrive, (input) => input),
  driveCommandHandler(UpdateKnownDrive, knownDriveCommands.UpdateKnownDrive, (input) => input),
  driveCommandHandler(DeleteKnownDrive, knownDriveCommands.DeleteKnownDrive, (input) => input),
  driveQueryHandler(GetKnownDrive, (drives, reader, { id }) =>
    readRecord(drives, knownDriveReads, reader, id),
  ),
  driveQueryHandler(ListKnownDrives, (drives, reader, input) =>
    listRecords(drives, knownDriveReads, reader, input),
  ),
];
