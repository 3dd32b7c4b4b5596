import { type Document, type Page, type Reads, RepeatQuery, type SearchHit } from '../../port.js';

/** The queries of an index over a state that does not change meanwhile: repeated once their families are indexed. */
export function repeating(reads: Reads<Document>): Reads<Document> {
  return {
    list: (...query): Promise<Page<Document>> => repeated(() => reads.list(...query)),
    search: (...query): Promise<Page<SearchHit<Document>>> =>
      repeated(() => reads.search(...query)),
  };
}

async function repeated<T>(query: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await query();
    } catch (error) {
      if (!(error instanceof RepeatQuery)) throw error;
    }
}
