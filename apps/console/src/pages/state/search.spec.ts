import type { AnyRecord } from '../../api/records.js';
import { matching } from './search.js';

const ann: AnyRecord = { id: 'ApiKeyID_a', name: 'Key of "Ann"', is_revoked: false };
const bob: AnyRecord = { id: 'ApiKeyID_b', name: 'C:\\Keys\\Bob', labels: [{ value: 'Old' }] };
const cursors = { cursor_down: null, cursor_up: null };
const whole = { items: [ann, bob], total: 2, ...cursors };

describe('a search in a list that the server does not search', () => {
  it.each([
    ['"ann"', [ann]],
    ['C:\\keys', [bob]],
    ['old', [bob]],
    ['apikeyid_', [ann, bob]],
    ['Carol', []],
  ])('finds records whose texts contain it: %s', (search, items) =>
    expect(matching(whole, search)).toEqual({ items, total: items.length, ...cursors }),
  );

  it.each(['is_revoked', 'name', 'value', 'false', '{'])(
    'finds neither names of fields nor what is no text: %s',
    (search) => expect(matching(whole, search).items).toEqual([]),
  );

  it('leaves a page of a longer list as it is', () => {
    const page = { ...whole, total: 10_003, cursor_down: 'next' };
    expect(matching(page, 'ann')).toEqual(page);
    expect(matching({ ...page, items: [] }, 'ann').total).toBe(10_003);
  });

  it('searches the records of a whole list, whatever their number was before', () =>
    expect(matching({ ...whole, total: 3 }, 'ann').items).toEqual([ann]));

  it('shows all without a text', () => expect(matching(whole, '')).toEqual(whole));
});
