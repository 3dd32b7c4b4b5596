import { Body, Inject, Post } from '@nestjs/common';
import {
  Search,
  SEARCH_CATEGORIES,
  SEARCH_SORTS,
  searchResultView,
} from '../../../libs/application/search/search.js';
import { ReadRoute } from '../drive/as-of.js';
import { DriveApi } from '../drive/drive-api.js';
import { Call, type DriveRequest } from '../drive/drive-request.js';
import { ListOf, OneOf, PageBody, Text } from '../platform/requests/fields.js';
import { page } from '../platform/openapi/openapi-decorators.js';
import { oneOf } from '../platform/requests/rules.js';
import { DriveController } from '../drive/drive-controller.js';

export class SearchBody extends PageBody {
  @Text({ min: 1, max: 256, trim: true, required: true, example: 'fin' })
  query!: string;

  @ListOf(oneOf(SEARCH_CATEGORIES), { distinct: true, max: SEARCH_CATEGORIES.length })
  categories?: string[];

  @OneOf(SEARCH_SORTS, { default: 'UPDATED_AT' })
  sort_by!: (typeof SEARCH_SORTS)[number];
}

@DriveController('organization', 'search')
export class SearchController {
  constructor(@Inject(DriveApi) private readonly api: DriveApi) {}

  @ReadRoute(Post('search'), page(searchResultView), {
    id: 'searchRecords',
    summary: 'Search records of several families',
    description:
      'Finds case-insensitive substrings of any length. Results and counts include only records that the ' +
      'caller may view.',
  })
  search(@Call() call: DriveRequest, @Body() body: SearchBody) {
    return this.api.query(call, Search, { ...body, categories: body.categories ?? [] });
  }
}
