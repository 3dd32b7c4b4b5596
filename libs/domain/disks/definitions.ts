import type { CommandDefinition } from '../foundation/decision.js';
import { deletion } from '../foundation/deleted.js';
import { bodyOf } from '../kernel/fields.js';
import type { CreateDisk, DeleteDisk, UpdateDisk } from './commands.js';
import { createDisk, deleteDisk, updateDisk } from './decide.js';
import { type DiskView, presentDisk } from './view.js';

export const diskCommands = {
  CreateDisk: {
    name: 'CreateDisk',
    decide: createDisk,
    answer(context, _, events) {
      const { disk_id } = bodyOf(events, 'DiskCreated')!;
      return presentDisk(context, context.state.disks.get(disk_id)!);
    },
  } satisfies CommandDefinition<CreateDisk, DiskView>,

  UpdateDisk: {
    name: 'UpdateDisk',
    decide: updateDisk,
    answer: (context, { id }) => presentDisk(context, context.state.disks.get(id)!),
  } satisfies CommandDefinition<UpdateDisk, DiskView>,

  DeleteDisk: deletion<DeleteDisk>('DeleteDisk', deleteDisk),
};
