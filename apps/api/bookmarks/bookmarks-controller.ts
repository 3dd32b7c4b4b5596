import { Body, Post } from '@nestjs/common';
import { driveCommand } from '../../../libs/application/drive-command.js';
import { CreateBookmark, ListBookmarks } from '../../../libs/application/bookmarks/bookmarks.js';
import { bookmarkCommands, bookmarkDeletedView } from '../../../libs/domain/bookmarks/commands.js';
import { bookmarkView } from '../../../libs/domain/bookmarks/reads.js';
import { ReadRoute } from '../drive/as-of.js';
import { DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { CommandRoute } from '../drive/command-routes.js';
import { ListBody } from '../platform/requests/fields.js';
import { page } from '../platform/openapi/openapi-decorators.js';
import { PAGES } from '../phrases.js';
import { DriveController } from '../drive/drive-controller.js';
import { CreateBookmarkBody, DeleteBookmarkBody } from './bookmark-bodies.js';

const deleteBookmark = driveCommand(bookmarkCommands.DeleteBookmark);

@DriveController('organization/bookmarks', 'history')
export class BookmarksController {
  constructor(private readonly api: DriveApi) {}

  @CommandRoute('', bookmarkView, {
    id: 'createBookmark',
    summary: 'Create a bookmark for a point in time',
    description:
      'Owner only. The bookmark stores the revision and time of the point. Without a point, it stores the ' +
      'state just before its own event. Operations that take a point accept `at: "@name"` or `as_of=@name`.',
    errors: ['permission.denied', 'point.out-of-range', 'bookmark.not-found', 'bookmark.exists'],
  })
  create(@Call() call: DriveRequest, @Body() body: CreateBookmarkBody) {
    return this.api.run(call, CreateBookmark, body);
  }

  @ReadRoute(Post('list'), page(bookmarkView), {
    id: 'listBookmarks',
    summary: 'List bookmarks',
    description: `Requires owner, or VIEW on AUDIT. ${PAGES}`,
    errors: ['permission.denied'],
  })
  list(@Call() call: DriveRequest, @Body() body: ListBody) {
    return this.api.query(call, ListBookmarks, body);
  }

  @CommandRoute('delete', bookmarkDeletedView, {
    id: 'deleteBookmark',
    summary: 'Delete a bookmark',
    description: 'Owner only. The name can be used again.',
    errors: ['permission.denied', 'bookmark.not-found'],
  })
  delete(@Call() call: DriveRequest, @Body() body: DeleteBookmarkBody) {
    return this.api.run(call, deleteBookmark, body);
  }
}
