import { Access } from '../access/access.js';
import { recordsHeld, SYSTEM_RIGHTS } from '../access/visible.js';
import { lines, type ReadDefinition } from '../foundation/reading.js';
import { PREFIX } from '../kernel/ids.js';
import type { Disk } from './record.js';
import { type DiskView, presentDisk } from './view.js';

export const diskReads: ReadDefinition<Disk, DiskView> = {
  family: 'disks',
  not_found: 'disk-not-found',
  when_hidden: 'forbidden',
  mayRead: (context, disk) => Access.of(context).can('VIEW', disk.id),
  rests_on: SYSTEM_RIGHTS,
  visible(context) {
    const access = Access.of(context);
    if (access.can('VIEW', 'TABLE_DISKS')) return 'all';
    return [{ field: 'id', among: recordsHeld(access, 'VIEW', PREFIX.disk) }];
  },
  present: presentDisk,
  filter_text: (disk) => lines(disk.name, disk.id),
  search: {
    category: 'DISKS',
    text: (disk) => lines(disk.name, disk.disk_type, disk.id),
    title: (disk) => disk.name,
    updated_at: (disk) => disk.created_at,
    preview: (disk) => disk.disk_type,
  },
};
