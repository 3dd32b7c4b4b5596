import { deniedBy } from '../../domain/access/denial.js';
import { bookmarkCommands } from '../../domain/bookmarks/commands.js';
import { bookmarkReads, mayReadBookmarks } from '../../domain/bookmarks/reads.js';
import {
  type Point,
  type PointRequest,
  presentOf,
  resolvePoint,
} from '../../engine/past/points.js';
import type { Refusal } from '../../domain/kernel/refusal.js';
import { isRefused } from '../../engine/writer/call.js';
import { type Destination, driveCommand } from '../drive-command.js';
import { listQuery } from '../drive-query.js';
import { readOnAll } from '../read-record.js';

interface CreateBookmarkInput extends PointRequest {
  readonly name: string;
  readonly note?: string;
}

export const CreateBookmark = driveCommand(
  bookmarkCommands.CreateBookmark,
  ({ name, note, ...request }: CreateBookmarkInput, destination) => {
    const command = { name, ...(note !== undefined && { note }) };
    // Without a point the command itself uses the current revision.
    if (Object.values(request).every((member) => member === undefined)) return command;
    return pointOf(request, destination).then((point) => ({ ...command, point }));
  },
);

async function pointOf(
  request: PointRequest,
  { drives, drive_id }: Destination,
): Promise<Point | Refusal> {
  const found = await readOnAll(drives, drive_id, (drive) =>
    resolvePoint(drives.events, drive_id, request, presentOf(drive)),
  );
  return isRefused(found) ? found.refusal : found.data;
}

export const ListBookmarks = listQuery('ListBookmarks', bookmarkReads, (context) =>
  mayReadBookmarks(context) ? {} : deniedBy(context, mayReadBookmarks),
);
