import { GetHistory } from '../../libs/application/history/history.js';
import { Replay, type ReplayAnswer } from '../../libs/application/replay/replay.js';
import type { PointRequest } from '../../libs/engine/past/points.js';
import { Refused } from './failure.js';
import type { Source } from './source.js';

/** Members of the records of all families used for display. */
export interface ShownRecord {
  readonly id: string;
  readonly name?: string;
  /** Only folders and files. */
  readonly full_directory_path?: string;
  /** Only invites to groups. */
  readonly inviter_id?: string;
}

export const LARGEST_PAGE = 1000;

const QUESTION = { path: 'organization/replay', query: Replay };

export interface Found {
  readonly records: readonly ShownRecord[];
  /** How many disks there are at the point. */
  readonly disks: number;
}

/** The first records of a family at a point. @throws Refused for callers who are not auditors */
export async function recordsAt(
  source: Source,
  point: PointRequest,
  family: string,
  most = LARGEST_PAGE,
): Promise<Found> {
  const records: ShownRecord[] = [];
  let disks = 0;
  for await (const answer of answersAt(source, point, family, { most })) {
    const found = foundIn(answer);
    records.push(...found.records);
    ({ disks } = found);
  }
  return { records, disks };
}

function foundIn({ state, counts }: ReplayAnswer): Found {
  const records = Object.values(state).flatMap(({ items }) => items as ShownRecord[]);
  return { records, disks: counts.disks! };
}

/** All records of one family at a point, page by page. @throws Refused for callers who are not auditors */
export async function* allRecordsAt(
  source: Source,
  point: PointRequest,
  family: string,
): AsyncGenerator<ShownRecord> {
  for await (const answer of answersAt(source, point, family)) yield* foundIn(answer).records;
}

/** Which records of a family are read. */
interface Wanted {
  /** Default: all. */
  readonly most?: number;
  /** Default: from the first one. */
  readonly cursor_down?: string | null;
}

/** A page of one family at a point, and the pages that follow it. @throws Refused for callers who are not auditors */
export async function* answersAt(
  source: Source,
  point: PointRequest,
  family: string,
  { most = Infinity, cursor_down: from = null }: Wanted = {},
): AsyncGenerator<ReplayAnswer> {
  const input = { ...point, include: [family], hash: false, verify: false };
  let cursor_down = from;
  let left = most;
  do {
    const page = { page_size: Math.min(LARGEST_PAGE, left), direction: 'ASC' as const };
    const cursor = cursor_down === null ? {} : { cursor_down };
    const answer = await source.ask(QUESTION, { ...input, ...page, ...cursor });
    yield answer;
    const page_of_family = answer.state[family];
    left -= page_of_family?.items.length ?? 0;
    cursor_down = page_of_family?.cursor_down ?? null;
  } while (cursor_down !== null && left > 0);
}

/** The record of an id at a point, if it exists. @throws Refused for callers who are not auditors */
export async function recordAt(
  source: Source,
  point: PointRequest,
  record_id: string,
): Promise<Found> {
  const input = { ...point, include: [], hash: false, verify: false };
  try {
    const page = { page_size: 1, direction: 'ASC' as const };
    return foundIn(await source.ask(QUESTION, { ...input, ...page, record_id }));
  } catch (error) {
    if (blames(error, '/record_id')) return { records: [], disks: 0 };
    throw error;
  }
}

/** The revision of a point, given for the option `within`. @throws Refused */
export async function resolved(
  source: Source,
  within: string,
  point: PointRequest,
): Promise<PointRequest> {
  const page = { page_size: 1, direction: 'ASC' as const };
  const input = { ...point, include: [], hash: false, verify: false, ...page };
  try {
    const { revision } = await source.ask(QUESTION, input);
    return { revision };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const details = error.details.map(({ pointer, reason }) => ({
      pointer: `/${within}${pointer}`,
      reason,
    }));
    throw new Refused(error.message, details);
  }
}

/** The revision of the last event that changed a record; -1 if there is none. @throws Refused */
export async function lastRevisionOf(source: Source, resource_id: string): Promise<number> {
  try {
    const question = { path: 'organization/history', query: GetHistory };
    const page = { page_size: 1, direction: 'DESC' as const };
    const { items } = await source.ask(question, { resource_id, ...page });
    return items[0]?.revision ?? -1;
  } catch (error) {
    if (blames(error, '/resource_id')) return -1;
    throw error;
  }
}

function blames(error: unknown, pointer: string): boolean {
  return error instanceof Refused && error.details.some((detail) => detail.pointer === pointer);
}
