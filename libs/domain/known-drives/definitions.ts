import type { CommandDefinition, Context } from '../foundation/decision.js';
import { deletion } from '../foundation/deleted.js';
import { bodyOf } from '../kernel/fields.js';
import type { CreateKnownDrive, DeleteKnownDrive, UpdateKnownDrive } from './commands.js';
import { createKnownDrive, deleteKnownDrive, updateKnownDrive } from './decide.js';
import { type KnownDriveView, presentKnownDrive } from './view.js';

function presentById(context: Context, id: string): KnownDriveView {
  return presentKnownDrive(context, context.state.drives.get(id)!);
}

export const knownDriveCommands = {
  CreateKnownDrive: {
    name: 'CreateKnownDrive',
    decide: createKnownDrive,
    answer: (context, _, events) =>
      presentById(context, bodyOf(events, 'KnownDriveCreated')!.drive_id),
  } satisfies CommandDefinition<CreateKnownDrive, KnownDriveView>,

  UpdateKnownDrive: {
    name: 'UpdateKnownDrive',
    decide: updateKnownDrive,
    answer: (context, { id }) => presentById(context, id),
  } satisfies CommandDefinition<UpdateKnownDrive, KnownDriveView>,

  DeleteKnownDrive: deletion<DeleteKnownDrive>('DeleteKnownDrive', deleteKnownDrive),
};
