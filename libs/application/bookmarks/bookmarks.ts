import { deniedBy } from '../../domain/access/denial.js';
import { bookmarkCommands } from '../../domain/bookmarks/commands.js';
import {
  bookmarkReads,
  type BookmarkView,
  mayReadBookmarks,
} from '../../domain/bookmarks/reads.js';
import { type PointRequest, presentOf, resolvePoint } from '../../engine/past/points.js';
import { isRefused } from '../../engine/writer/call.js';
import { driveCommand } from '../drive-command.js';
import { driveQuery } from '../drive-query.js';
import { type ListInput, type ListPage, listRecords } from '../list-records.js';
import { readOnAll } from '../read-record.js';

interface CreateBookmarkInput extends PointRequest {
  readonly name: string;
  readonly note?: string;
}

export const CreateBookmark = driveCommand(
  bookmarkCommands.CreateBookmark,
  async ({ name, note, ...request }: CreateBookmarkInput, { drives, drive_id }) => {
    const command = { name, ...(note !== undefined && { note }) };
    // Without a point the command itself uses the current revision.
    if (Object.values(request).every((member) => member === undefined)) return command;
    const found = await readOnAll(drives, drive_id, (drive) =>
      resolvePoint(drives.events, drive_id, request, presentOf(drive)),
    );
    return { ...command, point: isRefused(found) ? found.refusal : found.data };
  },
);
export const ListBookmarks = driveQuery<ListInput, ListPage<BookmarkView>>(
  'ListBookmarks',
  (drives, reader, input) =>
    listRecords(drives, bookmarkReads, reader, input, (context) =>
      mayReadBookmarks(context) ? {} : deniedBy(context, mayReadBookmarks),
    ),
);
