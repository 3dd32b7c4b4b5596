import { changed, type Summaries } from '../foundation/summary-context.js';
import type { DiskEvents } from './events.js';

export const diskSummaries: Summaries<DiskEvents> = {
  DiskCreated: ({ actor, name }, { disk_id }) => `${actor} made the disk ${name(disk_id)}`,

  DiskUpdated: (context, { disk_id }) => changed(context, 'disk', disk_id),

  DiskDeleted: ({ actor, name }, { disk_id }) => `${actor} deleted the disk ${name(disk_id)}`,
};
