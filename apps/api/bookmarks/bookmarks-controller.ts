import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateBookmark,
  DeleteBookmark,
  ListBookmarks,
} from '../../../libs/application/bookmarks/bookmarks.js';
import { AsOf } from '../drive/as-of.js';
import { DriveApi } from '../drive/drive-api.js';
import { DriveGuard } from '../drive/drive-guard.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { operation } from '../drive/operation.js';
import { ListBody } from '../platform/requests/fields.js';
import { ApiData, Operation } from '../platform/openapi/openapi-decorators.js';
import { PAGES } from '../phrases.js';
import { CreateBookmarkBody, DeleteBookmarkBody } from './bookmark-bodies.js';
import { BookmarkDeletedRecord, BookmarkRecord } from './bookmark-records.js';

const createBookmark = operation('organization/bookmarks', CreateBookmarkBody, CreateBookmark);
const deleteBookmark = operation(
  'organization/bookmarks/delete',
  DeleteBookmarkBody,
  DeleteBookmark,
);

@ApiTags('organization')
@Controller('v1/drive/:organization_id/organization/bookmarks')
@UseGuards(DriveGuard)
export class BookmarksController {
  constructor(private readonly api: DriveApi) {}

  @Post()
  @ApiData(BookmarkRecord)
  @Operation({
    summary: 'Give a point of the past a name',
    description:
      'Owner only. The bookmark keeps the revision and the time that the point stood for when it was made; ' +
      'without a point that is now, just before its own event. Wherever a point is taken, `at: "@name"` or ' +
      '`as_of=@name` then stands for it.',
    errors: ['permission.denied', 'point.out-of-range', 'bookmark.not-found', 'bookmark.exists'],
  })
  create(@Call() call: DriveRequest, @Body() body: CreateBookmarkBody) {
    return this.api.run(call, createBookmark, body);
  }

  @Post('list')
  @AsOf()
  @ApiData({ list: BookmarkRecord })
  @Operation({
    summary: 'List the bookmarks',
    description: `Owner, or VIEW on AUDIT. ${PAGES}`,
    errors: ['permission.denied'],
  })
  list(@Call() call: DriveRequest, @Body() body: ListBody) {
    return this.api.ask(call, ListBookmarks, body);
  }

  @Post('delete')
  @ApiData(BookmarkDeletedRecord)
  @Operation({
    summary: 'Delete a bookmark',
    description: 'Owner only. The name may then be given again.',
    errors: ['permission.denied', 'bookmark.not-found'],
  })
  delete(@Call() call: DriveRequest, @Body() body: DeleteBookmarkBody) {
    return this.api.run(call, deleteBookmark, body);
  }
}
