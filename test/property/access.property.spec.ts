import * as fc from 'fast-check';
import type { DeclaredQuery } from '../../libs/application/drive-query.js';
import { RECORD_KINDS } from '../../libs/domain/drive/record-kinds.js';
import type { DriveState } from '../../libs/domain/foundation/state.js';
import { AccessTimeline } from '../../libs/application/access/timeline.js';
import { CheckMany, Reach, Who } from '../../libs/application/access/questions.js';
import { SlowModel } from '../../libs/domain/access/testing/slow-model.js';
import { isDirectoryId, typesFor } from '../../libs/domain/access-questions/held.js';
import { Identities } from '../../libs/domain/access-questions/identity.js';
import type { HeldInterval } from '../../libs/domain/access-questions/timeline.js';
import { DRIVE_A } from '../../libs/engine/testing/engine.js';
import { manySteps } from './random-commands.js';
import { check, RandomDrive } from './support.js';

const PAGE = { page_size: 7, direction: 'ASC' as const };
const MOST_RESOURCES = 14;
const MOST_TIMELINES = 12;

/** Asks questions as the owner of now. */
class Asker {
  private constructor(
    private readonly random: RandomDrive,
    private readonly owner_id: string,
  ) {}

  static async of(random: RandomDrive): Promise<Asker> {
    return new Asker(random, (await random.drive()).state.organization.owner_id);
  }

  async ask<Input>(query: DeclaredQuery<Input, unknown>, input: object): Promise<any> {
    const credential = { kind: 'signature', user_id: this.owner_id } as const;
    const reader = { drive_id: DRIVE_A, credential };
    const outcome = await query.answer(this.random.spec.drives, reader, input as Input);
    if (!('data' in outcome)) throw new Error(JSON.stringify(outcome));
    return outcome.data;
  }

  /** All items over all pages. */
  async all<Input>(query: DeclaredQuery<Input, unknown>, input: object): Promise<any[]> {
    const items: any[] = [];
    let cursor_down: string | undefined;
    do {
      const page = await this.ask(query, {
        ...input,
        ...PAGE,
        cursor_down,
      });
      items.push(...page.items);
      if (page.total < items.length) throw new Error('more items than the total');
      cursor_down = page.cursor_down ?? undefined;
    } while (cursor_down);
    return items;
  }
}

/** Some folders, files, tables and records of a state. */
function resourcesOf(state: DriveState): string[] {
  const { folders, files, groups, contacts, disks, system_permissions } = state;
  const records = [folders, files, groups, contacts, disks, system_permissions].map((table) =>
    [...table.ids()].slice(-3),
  );
  return [...records.flat(), ...RECORD_KINDS.tables.slice(1, 5)].slice(0, MOST_RESOURCES);
}

interface Held {
  readonly who: string;
  readonly resource: string;
  readonly revision: number;
  readonly now: number;
  readonly types: readonly string[];
}

function covers(one: HeldInterval, revision: number, now: number): boolean {
  const has_begun =
    one.from_revision < revision || (one.from_revision === revision && one.from_ms <= now);
  const has_ended =
    one.to_revision !== -1 &&
    (one.to_revision < revision || (one.to_revision === revision && one.to_ms <= now));
  return has_begun && !has_ended;
}

function slowTypes(model: SlowModel, who: string, resource: string, now: number): string[] {
  return isDirectoryId(resource)
    ? model.directoryTypes(who, resource, now)
    : model.systemTypes(who, resource, now);
}

/** Compares an actual with an expected answer; the rest describes the query. */
type Compare = (actual: unknown, expected: unknown, ...question: readonly unknown[]) => void;

/** Compares everything about one point, and says what the model holds for true there. */
async function atPoint(
  random: RandomDrive,
  asker: Asker,
  revision: number,
  compare: Compare,
): Promise<Held[]> {
  const { state: last } = await random.drive();
  const identities = new Identities(last);
  const { state } = (await random.spec.drives.loader.load(DRIVE_A, { to: revision })).folded;
  const now = state.timestamp_ms;
  const model = new SlowModel(state);
  const people = [...last.contacts.ids()].slice(0, 6);
  const everybody = [...people, ...[...last.groups.ids()].slice(0, 4), 'PUBLIC'];
  const reached = new Map<string, string[]>();
  for (const grantee_id of everybody) {
    const rows = await asker.all(Reach, { grantee_id, revision, families: [], collapse: false });
    reached.set(
      grantee_id,
      rows.map(({ resource_id }) => resource_id),
    );
  }
  const held: Held[] = [];
  for (const resource_id of resourcesOf(state)) {
    const rows = await asker.all(Who, { resource_id, revision });
    const types = typesFor(resource_id);
    const checks = everybody.flatMap((grantee_id) =>
      types.map((permission_type) => ({ grantee_id, resource_id, permission_type })),
    );
    const asked = { checks, revision };
    const { results } = await asker.ask(CheckMany, asked);
    const what = identities.resourceThen(resource_id, revision);
    const of_public = slowTypes(model, 'PUBLIC', what, now);
    for (const [nth, who] of everybody.entries()) {
      const then = identities.userThen(who, revision);
      const expected = slowTypes(model, then, what, now);
      const checked = types.filter((_, of) => results[nth * types.length + of]);
      compare(checked, expected, 'check_many', who, resource_id, revision);
      if (what === resource_id) {
        // What PUBLIC holds everybody holds, with or without a row.
        const named = rows.find(({ grantee_id }) => grantee_id === then);
        compare(named?.types ?? of_public, expected, 'who', who, resource_id, revision);
        const is_reached = reached.get(who)!.includes(what);
        compare(is_reached, expected.length > 0, 'reach', who, resource_id, revision);
      }
      held.push({ who, resource: resource_id, revision, now, types: expected.toSorted() });
    }
  }
  return held;
}

/** Timelines of what was gained or lost between the points first; each folds the whole stream. */
async function alongTime(asker: Asker, held: readonly Held[], compare: Compare): Promise<void> {
  const by_pair = Object.values(
    Object.groupBy(held, ({ who, resource }) => `${who} ${resource}`),
  ) as Held[][];
  const isChanged = (ones: readonly Held[]): boolean =>
    new Set(ones.map(({ types }) => types.join())).size > 1;
  const chosen = new Set([...by_pair.filter(isChanged), ...by_pair].slice(0, MOST_TIMELINES));
  for (const ones of chosen) {
    const { who, resource } = ones[0]!;
    const input = { grantee_id: who, resource_id: resource };
    const { intervals } = await asker.ask(AccessTimeline, input);
    for (const { revision, now, types } of ones) {
      const told = intervals.filter((one: HeldInterval) => covers(one, revision, now));
      const names = told.map((one: HeldInterval) => one.permission_type).sort();
      compare(names, types, 'access_timeline', who, resource, revision);
    }
  }
}

describe('at any point of any past', () => {
  it('who, reach, check_many and access_timeline say what the model read slowly says', async () => {
    expect.hasAssertions();
    const points = fc.array(fc.nat(0xffff), { minLength: 3, maxLength: 3 });
    await check(
      fc.asyncProperty(manySteps, points, async (taken, chosen) => {
        const random = await RandomDrive.start();
        await random.run(taken);
        const asker = await Asker.of(random);
        const { head } = await random.drive();
        const differences: unknown[] = [];
        const compare: Compare = (actual, expected, ...question) => {
          if (JSON.stringify(actual) !== JSON.stringify(expected))
            differences.push({ question, actual, expected });
        };
        const held: Held[] = [];
        for (const point of chosen)
          held.push(...(await atPoint(random, asker, point % (head.revision + 1), compare)));
        await alongTime(asker, held, compare);
        expect(differences.slice(0, 3)).toEqual([]);
      }),
      'access at any point',
    );
  });
});
