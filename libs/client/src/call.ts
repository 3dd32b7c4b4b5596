import type { components } from './generated/api.js';

/** Data of an answer, and what its headers say. */
export interface Answer<Data> {
  readonly data: Data;
  /** The answer reflects the organization at least up to this revision; of a command, its last event. */
  readonly revision: number | null;
  /** For `if_match`; null where the answer is not one record. */
  readonly etag: string | null;
  readonly request_id: string | null;
  /** True: the outcome of an earlier attempt with the same Idempotency-Key; secrets in it are masked. */
  readonly replayed: boolean;
  /** Of a dry run: the events that would have been stored. */
  readonly dry_run: components['schemas']['DryRun'] | null;
}

/** A request that was sent: a promise of the data. */
export interface Call<Data> extends Promise<Data> {
  withResponse(): Promise<Answer<Data>>;
}

/** A request for one page. */
export interface PagedCall<Page> extends Call<Page> {
  /** This page and all that follow it. */
  pages(): AsyncGenerator<Page, void>;
}

/** A request for one page of items; iterating gives the items of all pages. */
export interface ListCall<Page, Item> extends PagedCall<Page>, AsyncIterable<Item> {}

interface PageFields {
  readonly cursor?: string | null;
  readonly cursor_down?: string | null;
  readonly items?: readonly unknown[];
}

/**
 * A call with all its methods; the types of operations say which of them apply.
 *
 * @param answered the request, already sent
 * @param next requests the page after a cursor
 */
export function callOf(
  answered: Promise<Answer<unknown>>,
  next: (cursor_down: string) => Promise<Answer<unknown>>,
): ListCall<unknown, unknown> {
  const data = answered.then((answer) => answer.data);
  const pages = async function* (): AsyncGenerator<unknown, void> {
    for (let page = await answered; ;) {
      yield page.data;
      const { cursor_down, cursor } = page.data as PageFields;
      const following = cursor_down ?? cursor;
      if (following === null || following === undefined) return;
      page = await next(following);
    }
  };
  /** The caller handles failures by another promise. */
  const handled = (): void => void data.catch(() => {});
  return Object.assign(data, {
    withResponse: (): Promise<Answer<unknown>> => {
      handled();
      return answered;
    },
    pages: (): AsyncGenerator<unknown, void> => {
      handled();
      return pages();
    },
    [Symbol.asyncIterator]: async function* (): AsyncGenerator<unknown, void> {
      handled();
      for await (const page of pages()) yield* (page as PageFields).items ?? [];
    },
  });
}
