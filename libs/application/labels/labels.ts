import type { Deleted } from '../../domain/foundation/deleted.js';
import { PREFIX } from '../../domain/kernel/ids.js';
import type {
  CreateLabel as CreateLabelCommand,
  PinLabel as PinLabelCommand,
  UpdateLabel as UpdateLabelCommand,
} from '../../domain/labels/commands.js';
import { labelCommands, type PinAnswer } from '../../domain/labels/definitions.js';
import { labelReads, labelsBeginning } from '../../domain/labels/reads.js';
import type { LabelView } from '../../domain/labels/view.js';
import { DriveCommand, driveCommandHandler } from '../drive-command.js';
import { DriveQuery, driveQueryHandler } from '../drive-query.js';
import { fresh } from '../fresh.js';
import { type ListInput, type ListPage, listRecords } from '../list-records.js';
import { readRecord } from '../read-record.js';

export class CreateLabel extends DriveCommand<Omit<CreateLabelCommand, 'fresh'>, LabelView> {}
export class UpdateLabel extends DriveCommand<UpdateLabelCommand, LabelView> {}
export class DeleteLabel extends DriveCommand<{ id: string }, Deleted> {}
export class PinLabel extends DriveCommand<PinLabelCommand, PinAnswer> {}

/** By id or value. */
export class GetLabel extends DriveQuery<{ id: string }, LabelView> {}
/** `filters` is what values begin with. */
export class ListLabels extends DriveQuery<ListInput, ListPage<LabelView>> {}

export const labelHandlers = [
  driveCommandHandler(CreateLabel, labelCommands.CreateLabel, (input) => ({
    ...input,
    fresh: { label_id: fresh.id(PREFIX.label) },
  })),
  driveCommandHandler(UpdateLabel, labelCommands.UpdateLabel, (input) => input),
  driveCommandHandler(DeleteLabel, labelCommands.DeleteLabel, (input) => input),
  driveCommandHandler(PinLabel, labelCommands.PinLabel, (input) => input),
  driveQueryHandler(GetLabel, (drives, reader, { id }) =>
    readRecord(drives, labelReads, reader, id),
  ),
  driveQueryHandler(ListLabels, (drives, reader, { filters: prefix, ...input }) =>
    listRecords(drives, labelReads, reader, { ...input, filters: '' }, (context) =>
      prefix ? { where: [labelsBeginning(context, prefix)] } : {},
    ),
  ),
];
