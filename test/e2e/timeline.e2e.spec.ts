import type { Client, Organization } from '../support/client.js';
import { given, granted } from '../support/facts.js';
import { TestService } from '../support/service.js';

const DAY_MS = 86_400_000;
const BEGIN = Date.UTC(2026, 0, 1);

interface Bucket {
  readonly from_ms: number;
  readonly from_revision: number;
  readonly to_revision: number;
  readonly count: number;
}

describe('the timeline of an organization', () => {
  let service: TestService;
  let org: Organization;
  let now = BEGIN;
  let head: number;

  const send = (body: object = {}, client = org.admin) =>
    client.post('/organization/timeline', body);
  const timeline = async (body: object = {}, client = org.admin): Promise<any> => {
    const { status, data, err } = await send(body, client);
    expect([status, err]).toEqual([200, undefined]);
    return data;
  };
  const group = async (day: number, name: string, client: Client = org.admin): Promise<void> => {
    now = BEGIN + day * DAY_MS;
    await client.post('/groups/create', { name }, { 'audit-reason': `Day ${day}` });
  };
  const everything = async (body: object = {}): Promise<any[]> =>
    (await org.admin.post('/organization/history', { ...body, page_size: 1000, direction: 'ASC' }))
      .data.items;

  beforeAll(async () => {
    service = await TestService.start({}, { clock: () => now });
    org = await service.organization('Bob', 'Audrey');
    const [bob, audrey] = org.members;
    await given(service, org, granted(org, bob!.user_id, 'TABLE_GROUPS', 'CREATE'));
    await given(service, org, granted(org, audrey!.user_id, 'TABLE_AUDIT', 'VIEW'));
    for (const day of [2, 3, 3, 3, 20]) await group(day, `G${day}`);
    for (const day of [20, 21, 90]) await group(day, `B${day}`, bob);
    await org.admin.post('/labels/create', { value: 'red' });
    head = (await org.admin.post('/organization/replay', {})).data.revision;
  });
  afterAll(() => service.stop());

  it('counts every event once, in buckets of equal length without gaps between revisions', async () => {
    const all = await everything();
    for (const buckets of [1, 2, 7, 90, 1000]) {
      const data = await timeline({ buckets });
      expect(data).toMatchObject({ from_revision: 0, to_revision: head, total: head + 1 });
      expect([data.from_ms, data.to_ms]).toEqual([BEGIN, now]);
      expect(data.buckets.length).toBeLessThanOrEqual(buckets);
      let next = 0;
      for (const { from_ms, from_revision, to_revision, count } of data.buckets as Bucket[]) {
        expect((from_ms - BEGIN) % data.bucket_ms).toBe(0);
        expect([from_revision, to_revision - from_revision + 1]).toEqual([next, count]);
        for (const { revision, timestamp_ms } of all.slice(from_revision, to_revision + 1)) {
          expect(revision).toBeLessThanOrEqual(to_revision);
          expect(timestamp_ms).toBeGreaterThanOrEqual(from_ms);
          expect(timestamp_ms).toBeLessThan(from_ms + data.bucket_ms);
        }
        next = to_revision + 1;
      }
      expect(next).toBe(head + 1);
    }
  });

  it('counts what history finds with the same filters', async () => {
    const [bob] = org.members;
    const filters: object[] = [
      { actor: bob!.user_id },
      { types: ['GroupCreated'] },
      { types: ['GroupCreated', 'LabelCreated'], actor: org.admin.user_id },
      { reason: 'day 2' },
      { from_ms: BEGIN + 3 * DAY_MS, to_ms: BEGIN + 21 * DAY_MS },
      { from_revision: 5, to_revision: head - 1, command: 'CreateGroup' },
    ];
    for (const filter of filters) {
      const found = await everything(filter);
      const data = await timeline({ ...filter, buckets: 30 });
      expect([filter, data.total]).toEqual([filter, found.length]);
      expect(found.length).toBeGreaterThan(0);
      const revisions = found.map(({ revision }) => revision);
      for (const { from_revision, to_revision, count } of data.buckets as Bucket[]) {
        const within = revisions.filter((one) => one >= from_revision && one <= to_revision);
        expect(within.length).toBe(count);
        expect([within[0], within.at(-1)]).toEqual([from_revision, to_revision]);
      }
      const counted = (data.buckets as Bucket[]).reduce((sum, { count }) => sum + count, 0);
      expect(counted).toBe(found.length);
    }
  });

  it('names the types that occur, with their family, whatever types are asked for', async () => {
    const found = await everything();
    const expected = new Map<string, number>();
    for (const { type } of found) expected.set(type, (expected.get(type) ?? 0) + 1);
    const { types } = await timeline();
    expect(new Map(types.map(({ type, count }: any) => [type, count]))).toEqual(expected);
    expect(types).toContainEqual({ type: 'GroupCreated', family: 'groups', count: 8 });
    expect(types).toContainEqual({ type: 'LabelCreated', family: 'labels', count: 1 });
    expect((await timeline({ types: ['LabelCreated'] })).types).toEqual(types);
    const [bob] = org.members;
    const bobs = await timeline({ actor: bob!.user_id });
    expect(bobs.types).toEqual([{ type: 'GroupCreated', family: 'groups', count: 3 }]);
  });

  it('of a range without events has no buckets', async () => {
    const range = { from_ms: BEGIN + 30 * DAY_MS, to_ms: BEGIN + 40 * DAY_MS };
    expect(await timeline(range)).toMatchObject({ total: 0, buckets: [], types: [], ...range });
    expect((await timeline({ from_ms: now + 1, to_ms: now + 5 })).total).toBe(0);
  });

  it('is for auditors only, and refuses what history refuses', async () => {
    const [bob, audrey] = org.members;
    expect((await timeline({}, audrey)).total).toBe(head + 1);
    expect((await send({}, bob)).status).toBe(403);
    const refused: [object, number, string][] = [
      [{ buckets: 0 }, 400, 'request.invalid'],
      [{ buckets: 1001 }, 400, 'request.invalid'],
      [{ from_ms: 2, to_ms: 1 }, 400, 'request.invalid'],
      [{ from_revision: head + 1 }, 404, 'point.out-of-range'],
      [{ types: ['GroupCreate'] }, 404, 'id.unknown'],
      [{ actor: 'UserID_nobody' }, 404, 'id.unknown'],
    ];
    for (const [body, status, type] of refused) {
      const answer = await send(body);
      expect([body, answer.status, answer.err?.type]).toEqual([body, status, type]);
    }
  });
});
