import { checkListQuery, checkSearchQuery } from '../checks.js';
import type { Document, DocumentKey, DocumentSource, ReadModel, ReadModelSchema } from '../port.js';
import { DriveImage } from './drive-image.js';

/** Reads tell nobody where they stand. */
const NO_HASH = new Uint8Array();

/** What reads ask a read model. */
export type Reads<Item extends DocumentKey = Document> = Pick<ReadModel<Item>, 'list' | 'search'>;

/**
 * The reads of one drive's state that does not change any more, as `MemoryReadModel` would answer
 * them. A family is indexed when it is first asked for.
 */
export class StateReads implements Reads {
  private readonly image: DriveImage;

  constructor(
    private readonly schema: ReadModelSchema,
    revision: number,
    source: DocumentSource,
  ) {
    this.image = new DriveImage(schema, { revision, event_hash: NO_HASH }, source);
  }

  async list(...[, query]: Parameters<Reads['list']>): ReturnType<Reads['list']> {
    checkListQuery(this.schema, query);
    return this.image.list(query);
  }

  async search(...[, query]: Parameters<Reads['search']>): ReturnType<Reads['search']> {
    checkSearchQuery(this.schema, query);
    return this.image.search(query);
  }
}
