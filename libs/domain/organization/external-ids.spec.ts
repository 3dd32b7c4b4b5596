import { RECORD_KINDS } from '../drive/record-kinds.js';
import { event } from '../foundation/events.js';
import { contacted, granted, grouped, invited, keyed } from '../groups/testing/events.js';
import { OWNER, SpecDrive } from '../testing/drive.js';
import { type Context } from '../foundation/decision.js';
import { isRefusal } from '../kernel/refusal.js';
import { MOST_MATCHES, resolveExternalIds } from './external-ids.js';

const BOB = 'UserID_bob';
const drive = () =>
  new SpecDrive().given(
    contacted(BOB, { external_id: 'erp-1' }),
    contacted('UserID_carl', { external_id: 'erp-1' }),
    grouped('GroupID_1'),
    invited('GroupInviteID_1', 'GroupID_1', 'UserID_carl', { external_id: 'erp-1' }),
    keyed('ApiKeyID_1', OWNER, 'digest', { external_id: 'erp-2' }),
  );
const resolve = (context: Context, external_ids: readonly string[]) => {
  const answer = resolveExternalIds(context, { external_ids });
  return isRefusal(answer) ? [] : answer.results;
};
const found = (given: SpecDrive, who: string, ...external_ids: string[]) =>
  resolve(given.context(who), external_ids).map((result) => [
    result.success,
    ...result.internal_ids,
  ]);

describe('resolving external ids', () => {
  it('answers in the requested order, with sorted ids, over all families', () => {
    const results = resolve(drive().context(OWNER), ['erp-2', 'none', 'erp-1', 'erp-2']);
    expect(results.map(({ external_id }) => external_id)).toEqual([
      'erp-2',
      'none',
      'erp-1',
      'erp-2',
    ]);
    expect(results.map(({ internal_ids }) => internal_ids)).toEqual([
      ['ApiKeyID_1'],
      [],
      ['GroupInviteID_1', BOB, 'UserID_carl'],
      ['ApiKeyID_1'],
    ]);
    expect(results.map(({ message }) => message)).toEqual([
      'Found 1 record',
      'No record that you may see has this external id',
      'Found 3 records',
      'Found 1 record',
    ]);
  });

  it('omits records that the caller may not see', () => {
    expect(found(drive(), BOB, 'erp-1', 'erp-2')).toEqual([[true, BOB], [false]]);
    const given = drive().given(granted('SystemPermissionID_1', BOB, 'TABLE_CONTACTS', 'VIEW'));
    expect(found(given, BOB, 'erp-1')).toEqual([[true, BOB, 'UserID_carl']]);
    expect(found(drive(), 'UserID_stranger', 'erp-1', 'erp-2')).toEqual([[false], [false]]);
  });

  it('follows update, clearing, superswap and deletion', () => {
    const given = drive();
    given.given(event('GroupUpdated', { group_id: 'GroupID_1', external_id: 'erp-3' }));
    expect(found(given, OWNER, 'erp-3')).toEqual([[true, 'GroupID_1']]);
    given.given(event('GroupUpdated', { group_id: 'GroupID_1', external_id: 'erp-4' }));
    expect(found(given, OWNER, 'erp-3', 'erp-4')).toEqual([[false], [true, 'GroupID_1']]);
    given.given(event('GroupUpdated', { group_id: 'GroupID_1', external_id: null }));
    expect(found(given, OWNER, 'erp-4', '')).toEqual([[false], [false]]);
    const swap = { current_user_id: BOB, new_user_id: 'UserID_new', updated_count: 1 };
    given.given(event('UserSuperswapped', swap));
    given.given(event('GroupDeleted', { group_id: 'GroupID_1' }));
    expect(found(given, OWNER, 'erp-1')).toEqual([[true, 'UserID_carl', 'UserID_new']]);
  });

  it('lists at most 1,000 records for one external id, and examines at most 10,000 a request', () => {
    const contacts = (count: number, external_id: string) =>
      Array.from({ length: count }, (_, at) =>
        contacted(`UserID_${external_id}${at}`, { external_id }),
      );
    const given = drive().given(
      ...contacts(1001, 'many'),
      ...contacts(MOST_MATCHES - 1001, 'rest'),
    );
    const [result] = resolve(given.context(OWNER), ['many', 'many', 'rest']);
    expect(result!.internal_ids).toHaveLength(1000);
    const external_ids = ['many', 'erp-2', 'rest'];
    expect(resolveExternalIds(given.context(OWNER), { external_ids })).toMatchObject({
      refusal: 'invalid-field',
      details: [{ pointer: '/external_ids', limit: MOST_MATCHES }],
    });
  });

  it('has an index in every family of records', () => {
    const { state } = drive();
    for (const { definition, reads } of RECORD_KINDS.by_prefix.values()) {
      expect(state.table(definition.name)!.where('external_id', 'none')).toEqual([]);
      expect(reads.family).toBe(definition.name);
    }
  });
});
