import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { fieldChanges } from '../../libs/application/history/changes.js';
import {
  type Change,
  Compare,
  type CompareAnswer,
  type CompareInput,
} from '../../libs/application/history/compare.js';
import { REPLAY_FAMILIES } from '../../libs/application/replay/families.js';
import { ownersView } from '../../libs/application/replay/owners-view.js';
import { DRIVE_A } from '../../libs/engine/testing/engine.js';
import { manySteps } from './random-commands.js';
import { check, RandomDrive } from './support.js';

interface Row {
  readonly change: Change;
  readonly fields: Readonly<Record<string, { before: unknown; after: unknown }>>;
}
type Rows = Readonly<Record<string, Row>>;
type Shown = Record<string, Record<string, unknown>>;

/** All rows of a comparison, page by page. */
async function rowsBetween(random: RandomDrive, from: number, to: number): Promise<Rows> {
  const { owner_id } = (await random.drive()).state.organization;
  const reader = {
    drive_id: DRIVE_A,
    credential: { kind: 'signature', user_id: owner_id },
  } as const;
  const rows: Record<string, Row> = {};
  let cursor_down: string | undefined;
  let met = 0;
  let total = 0;
  do {
    const input: CompareInput = {
      from: { revision: from },
      to: { revision: to },
      include: [],
      page_size: 25,
      direction: 'ASC',
      cursor_down,
    };
    const outcome = await Compare.answer(random.spec.drives, reader, input);
    if (!('data' in outcome)) throw new Error(outcome.refusal.refusal);
    const page: CompareAnswer = outcome.data;
    for (const { family, resource_id, change, fields } of page.items) {
      const members = fields.map(({ field, before, after }) => [field, { before, after }] as const);
      rows[`${family} ${resource_id}`] = { change, fields: Object.fromEntries(members) };
      met++;
    }
    total = page.total;
    cursor_down = page.cursor_down ?? undefined;
  } while (cursor_down);
  expect(met).toBe(total);
  return rows;
}

const isMasked = (value: unknown): boolean => JSON.stringify(value)?.includes('***') ?? false;

/** Changes one after the other as one: null if they undo each other. */
function composed(first: Row, then: Row): Row | null {
  if (first.change === 'CREATED' && then.change === 'DELETED') return null;
  const fields: Record<string, { before: unknown; after: unknown }> = {};
  for (const name of new Set([...Object.keys(first.fields), ...Object.keys(then.fields)])) {
    const before = (first.fields[name] ?? then.fields[name]!).before;
    const after = (then.fields[name] ?? first.fields[name]!).after;
    fields[name] = { before, after };
  }
  if (first.change === 'CREATED') {
    for (const field of Object.values(fields)) field.before = null;
    return { change: 'CREATED', fields };
  }
  if (then.change === 'DELETED') return { change: 'DELETED', fields };
  // What is masked looks alike, and has changed all the same.
  for (const [name, { before, after }] of Object.entries(fields))
    if (isDeepStrictEqual(before, after) && !isMasked(before)) delete fields[name];
  return Object.keys(fields).length > 0 ? { change: 'UPDATED', fields } : null;
}

function composition(first: Rows, then: Rows): Rows {
  const rows: Record<string, Row> = {};
  for (const key of new Set([...Object.keys(first), ...Object.keys(then)])) {
    const [before, after] = [first[key], then[key]];
    const row = before && after ? composed(before, after) : (before ?? after);
    if (row) rows[key] = row;
  }
  return rows;
}

/** Every record at a revision, field by field as comparisons show them. */
async function shownAt(random: RandomDrive, revision: number): Promise<Shown> {
  const { spec } = random;
  const drive = await random.drive();
  const { state } = (await spec.drives.loader.load(DRIVE_A, { to: revision })).folded;
  const anybody = { user_id: '', api_key_id: null, via: 'SYSTEM', key_expires_at: -1 } as const;
  const context = ownersView(drive.context(anybody), state, state.timestamp_ms);
  const shown: Shown = {};
  for (const family of REPLAY_FAMILIES)
    for (const record of state.table(family)?.values() ?? []) {
      const { definition } = state.table(family)!;
      const fields = fieldChanges(context, { definition, before: undefined, after: record });
      shown[`${family} ${record.id}`] = Object.fromEntries(
        fields.map(({ field, after }) => [field, after]),
      );
    }
  return shown;
}

function applied(shown: Shown, rows: Rows): Shown {
  const result: Shown = structuredClone(shown);
  for (const [key, { change, fields }] of Object.entries(rows)) {
    expect(key in result).toBe(change !== 'CREATED');
    const members = (result[key] ??= {});
    for (const [name, { before, after }] of Object.entries(fields)) {
      expect(members[name] ?? null).toEqual(before);
      members[name] = after;
    }
    if (change === 'DELETED') delete result[key];
  }
  return result;
}

describe('comparing any points of a drive', () => {
  it('leads from one state to the other, composes, turns around, and is empty for one point', async () => {
    const met = { CREATED: 0, UPDATED: 0, DELETED: 0 };
    await check(
      fc.asyncProperty(
        manySteps,
        fc.tuple(fc.nat(0xffff), fc.nat(0xffff), fc.nat(0xffff)),
        async (steps, numbers) => {
          const random = await RandomDrive.start({ snapshot_every_events: 20 });
          await random.run(steps);
          const { revision } = (await random.drive()).head;
          const [a, b, c] = numbers
            .map((number) => number % (revision + 1))
            .toSorted((one, other) => one - other) as [number, number, number];
          const ab = await rowsBetween(random, a, b);
          const bc = await rowsBetween(random, b, c);
          const ac = await rowsBetween(random, a, c);
          expect(composition(ab, bc)).toEqual(ac);
          const at_a = await shownAt(random, a);
          expect(applied(at_a, ac)).toEqual(await shownAt(random, c));
          expect(composition(ac, await rowsBetween(random, c, a))).toEqual(masked(ac));
          expect(await rowsBetween(random, b, b)).toEqual({});
          for (const { change } of Object.values(ac)) met[change]++;
        },
      ),
      'compare',
    );
    for (const times of Object.values(met)) expect(times).toBeGreaterThan(0);
  });
});

/** Of rows there and back only what is masked is left: whether it is the same again cannot be seen. */
function masked(rows: Rows): Rows {
  const left: Record<string, Row> = {};
  for (const [key, { change, fields }] of Object.entries(rows)) {
    if (change === 'CREATED') continue;
    const unclear = Object.entries(fields).flatMap(([name, { before }]) =>
      isMasked(before) ? [[name, { before, after: before }] as const] : [],
    );
    if (unclear.length > 0) left[key] = { change: 'UPDATED', fields: Object.fromEntries(unclear) };
  }
  return left;
}
