import { emptyState, foldOnto, streamOf } from '../../../libs/engine/fold/fold.js';
import type { EventStore, StoredEvent } from '../../../libs/event-store/port.js';
import { Child } from '../harness/process.js';
import { show } from '../harness/report.js';
import type { Line, Row } from '../harness/row.js';
import { median } from '../harness/statistics.js';
import { dataset, openFolder } from '../seed/datasets.js';
import { longDriveOrder } from '../seed/orders.js';

interface Input {
  readonly folder: string;
  readonly drive_id: string;
  readonly rounds: number;
}

/** Events a second, medians over the rounds; ratios are medians of each round's. */
interface Result {
  readonly events: number;
  readonly parse: number;
  readonly read: number;
  readonly plain: number;
  readonly fold_in_memory: number;
  readonly fold: number;
  readonly fold_verified: number;
  readonly fold_by_parse: number;
  readonly fold_in_memory_by_parse: number;
  readonly plain_by_parse: number;
  readonly fold_by_plain: number;
}

/** Folding a drive of a million events, against JSON.parse of the same bodies. */
export const row: Row = {
  name: 'fold',
  async run(bench): Promise<readonly Line[]> {
    const { folder, drive_id, body_bytes } = await dataset(longDriveOrder(bench), bench);
    const input: Input = { folder, drive_id, rounds: bench.is_quick ? 3 : 5 };
    const found = await Child.inside<Result>('rows/fold', input, bench);
    const { events, parse, read, fold, fold_verified, fold_in_memory } = found;
    return [
      {
        what: `fold ${show(events)} stored events (bodies of ${body_bytes} bytes), store and all`,
        target: '≥ 0.45 × JSON.parse of the same bodies',
        measured: `${found.fold_by_parse.toFixed(2)} ×, ${show(fold)}/s; with every hash verified ${show(fold_verified)}/s`,
        reference: `JSON.parse ${show(parse)}/s; reading alone ${show(read)}/s`,
        holds: found.fold_by_parse >= 0.45,
        figures: { ...found, body_bytes },
      },
      {
        what: 'the same without any rule: JSON.parse, one Map, a copied record for each event',
        target: '',
        measured: `${found.plain_by_parse.toFixed(2)} ×, ${show(found.plain)}/s`,
        reference: `the fold ${found.fold_by_plain.toFixed(2)} × of it`,
        holds: null,
        figures: {},
      },
      {
        what: 'the same from events already in memory',
        target: '',
        measured: `${found.fold_in_memory_by_parse.toFixed(2)} ×, ${show(fold_in_memory)}/s`,
        reference: `JSON.parse ${show(parse)}/s`,
        holds: null,
        figures: {},
      },
    ];
  },
};

const PAGE = 1000;
/** Events folded in a round, from the drive's first on; all of them are held in memory too. */
const EVENTS = 250_000;

/** What is left of an event's type is the family. */
const VERB = /(Created|Updated|Deleted)$/;
/** Member of an event's body that has the record's id, for families whose events have several ids. */
const OWN_ID: Readonly<Record<string, string>> = {
  ApiKey: 'api_key_id',
  Contact: 'user_id',
  Disk: 'disk_id',
  Group: 'group_id',
  GroupInvite: 'invite_id',
  Shortlink: 'slug',
  SystemPermission: 'permission_id',
};

/** The least that any fold of these events does: no fold in this language can be faster. */
async function foldPlainly(from: EventStore, stream: string, events: number): Promise<void> {
  const records = new Map<string, object>();
  let next = from.readFoldable(stream, 0, PAGE);
  for (let read = 0; read < events; read += PAGE) {
    const page = await next;
    next = from.readFoldable(stream, read + PAGE, PAGE);
    for (const { type, data, timestamp_ms } of page) {
      const body = JSON.parse(data) as Record<string, string>;
      const id = body[OWN_ID[type.replace(VERB, '')] ?? ''];
      if (id === undefined) continue;
      if (type.endsWith('Deleted')) records.delete(id);
      else records.set(id, { ...records.get(id), ...body, last_modified_at: timestamp_ms });
    }
  }
  await next;
}

export async function inside({ folder, drive_id, rounds }: Input): Promise<Result> {
  const stores = openFolder(folder, true);
  const stream = streamOf(drive_id);
  const stored: StoredEvent[] = [];
  for (let from = 0; from < EVENTS; from += PAGE)
    for (const event of await stores.events.readStream(stream, from, 'forward', PAGE))
      stored.push(event);
  const events = stored.length;
  const slice = (from: number, limit: number) => stored.slice(from, from + limit);
  const in_memory = {
    readStream: async (_: string, from: number, __: unknown, limit: number) => slice(from, limit),
    readFoldable: async (_: string, from: number, limit: number) => slice(from, limit),
  } as unknown as EventStore;
  const rate = async (work: () => Promise<unknown> | void): Promise<number> => {
    globalThis.gc?.();
    const started = performance.now();
    await work();
    return (events / (performance.now() - started)) * 1000;
  };
  const fold = (from: EventStore, verify: boolean) => () =>
    foldOnto(emptyState(drive_id), from, { to: events - 1, verify });
  const contests = {
    parse: () => {
      for (const { data } of stored) JSON.parse(data);
    },
    plain: () => foldPlainly(stores.events, stream, events),
    fold: fold(stores.events, false),
    fold_in_memory: fold(in_memory, false),
    read: async () => {
      for (let from = 0; from < events; from += PAGE)
        await stores.events.readFoldable(stream, from, PAGE);
    },
    fold_verified: fold(stores.events, true),
  };
  const rates: Record<keyof typeof contests, number[]> = {
    parse: [],
    plain: [],
    fold: [],
    fold_in_memory: [],
    read: [],
    fold_verified: [],
  };
  for (let round = 0; round <= rounds; round++)
    for (const [name, work] of Object.entries(contests)) {
      const found = await rate(work);
      // The first round warms up.
      if (round > 0) rates[name as keyof typeof contests].push(found);
    }
  await stores.close();
  const by = (other: keyof typeof contests, name: keyof typeof contests): number =>
    median(rates[name].map((one, round) => one / rates[other][round]!));
  return {
    events,
    parse: median(rates.parse),
    read: median(rates.read),
    plain: median(rates.plain),
    fold: median(rates.fold),
    fold_in_memory: median(rates.fold_in_memory),
    fold_verified: median(rates.fold_verified),
    fold_by_parse: by('parse', 'fold'),
    fold_in_memory_by_parse: by('parse', 'fold_in_memory'),
    plain_by_parse: by('parse', 'plain'),
    fold_by_plain: by('plain', 'fold'),
  };
}
