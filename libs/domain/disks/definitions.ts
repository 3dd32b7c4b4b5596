import type { CommandDefinition, GeneratingCommand } from '../foundation/decision.js';
import { deletion } from '../foundation/deleted.js';
import { bodyOf } from '../kernel/fields.js';
import { type CreateDisk, type DeleteDisk, freshDisk, type UpdateDisk } from './commands.js';
import { createDisk, deleteDisk, updateDisk } from './decide.js';
import { type DiskView, presentDisk } from './view.js';

export const diskCommands = {
  CreateDisk: {
    name: 'CreateDisk',
    decide: createDisk,
    generate: freshDisk,
    answer(context, _, events) {
      const { disk_id } = bodyOf(events, 'DiskCreated')!;
      return presentDisk(context, context.state.disks.get(disk_id)!);
    },
  } satisfies GeneratingCommand<CreateDisk, DiskView>,

  UpdateDisk: {
    name: 'UpdateDisk',
    decide: updateDisk,
    answer: (context, { id }) => presentDisk(context, context.state.disks.get(id)!),
  } satisfies CommandDefinition<UpdateDisk, DiskView>,

  DeleteDisk: deletion<DeleteDisk>('DeleteDisk', deleteDisk),
};
