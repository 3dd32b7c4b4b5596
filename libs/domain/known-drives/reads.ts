import { Access } from '../access/access.js';
import { recordsHeld, SYSTEM_RIGHTS } from '../access/visible.js';
import { lines, type ReadDefinition } from '../foundation/reading.js';
import { PREFIX } from '../kernel/ids.js';
import type { KnownDrive } from './record.js';
import { type KnownDriveView, presentKnownDrive } from './view.js';

export const knownDriveReads: ReadDefinition<KnownDrive, KnownDriveView> = {
  family: 'drives',
  not_found: 'drive-not-found',
  when_hidden: 'forbidden',
  mayRead: (context, drive) => Access.of(context).can('VIEW', drive.id),
  // Ids are public principals.
  mayAsk: (context, id) => Access.of(context).can('VIEW', id),
  rests_on: SYSTEM_RIGHTS,
  visible(context) {
    const access = Access.of(context);
    if (access.can('VIEW', 'TABLE_DRIVES')) return 'all';
    return [{ field: 'id', among: recordsHeld(access, 'VIEW', PREFIX.drive) }];
  },
  present: presentKnownDrive,
  filter_text: (drive) => lines(drive.name, drive.id),
  search: {
    category: 'DRIVES',
    text: (drive) => lines(drive.name, drive.id, drive.host_url),
    title: (drive) => drive.name,
    updated_at: (drive) => drive.created_at,
    preview: (drive) => drive.host_url,
  },
};
