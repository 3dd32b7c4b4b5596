import { Search } from '../../../libs/application/search/search.js';
import type { Drives } from '../../../libs/engine/drives/drives.js';
import { dataOf } from './engine.js';
import { Random } from './random.js';

/** Searches before those that count. */
const WARM_UP = 10;

export interface FileSearches {
  readonly drive_id: string;
  /** Digests of api keys by who searches. */
  readonly digests: Readonly<Record<string, string>>;
  /** How many files there are. */
  readonly files: number;
  /** Default: FILES. */
  readonly categories?: readonly string[];
  /** Most searches of each, and the longest time that they may take together (ms). */
  readonly searches: number;
  readonly most_ms?: number;
  /** Runs before each search, unmeasured. */
  readonly before?: () => Promise<unknown>;
}

/** Searches of one person. */
export interface Searched {
  /** How long each took that was answered, ms. */
  readonly taken: number[];
  /** How many the store gave up for their length. */
  given_up: number;
}

/**
 * Searches for files of a seeded tree, the same questions each time.
 * @param isGivenUp tells what a store says that gives a search up
 * @returns by who searched
 */
export async function searchForFiles(
  drives: Drives,
  {
    drive_id,
    digests,
    files,
    categories = ['FILES'],
    searches,
    most_ms = Infinity,
    before,
  }: FileSearches,
  isGivenUp: (error: unknown) => boolean = () => false,
): Promise<Record<string, Searched>> {
  const random = new Random(3);
  const by_person: Record<string, Searched> = {};
  const asked = {
    page_size: 50,
    direction: 'ASC',
    categories,
    sort_by: 'UPDATED_AT',
  } as const;
  for (const [who, digest] of Object.entries(digests)) {
    const reader = { drive_id, credential: { kind: 'api_key', digest } } as const;
    const searched: Searched = { taken: [], given_up: 0 };
    let found = 0;
    const end = performance.now() + most_ms;
    for (let at = -WARM_UP; at < searches && performance.now() < end; at++) {
      const query = random.below(2) === 0 ? random.text(9).slice(0, 6) : `${random.below(files)}.p`;
      await before?.();
      const started = performance.now();
      try {
        const answer = dataOf(await Search.answer(drives, reader, { ...asked, query }));
        found += (answer as { total: number }).total;
        if (at >= 0) searched.taken.push(performance.now() - started);
      } catch (error) {
        if (!isGivenUp(error)) throw error;
        searched.given_up++;
      }
    }
    if (found === 0 && searched.given_up === 0) throw new Error('no search found anything');
    by_person[who] = searched;
  }
  return by_person;
}
