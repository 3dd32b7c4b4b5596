import { changed, type Summaries } from '../foundation/telling.js';
import type { DiskEvents } from './events.js';

export const diskSummaries: Summaries<DiskEvents> = {
  DiskCreated: ({ actor, name }, { disk_id }) => `${actor} made the disk ${name(disk_id)}`,

  DiskUpdated: (told, { disk_id }) => changed(told, 'disk', disk_id),

  DiskDeleted: ({ actor, name }, { disk_id }) => `${actor} deleted the disk ${name(disk_id)}`,
};
