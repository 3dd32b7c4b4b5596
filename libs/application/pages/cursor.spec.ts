import { encodeCursor, pageRequest } from './cursor.js';

const LIST = 'DriveID_spec groups';

describe('pageRequest', () => {
  const read = (cursor_down: string) =>
    pageRequest(LIST, { page_size: 5, direction: 'DESC', cursor_down });

  it.each([
    [{ key: 1_700_000_000_000, id: 'GroupID_a' }],
    [{ key: -1.5, id: 'GroupID_a' }],
    [{ key: 'ünïcode ✓', id: 'GroupID_a' }],
    [{ key: 'several\nlines\n', id: 'GroupID_a' }],
    [{ key: '', id: 'GroupID_a' }],
  ])('reads the position %j from its cursor', (position) => {
    const cursor = encodeCursor(LIST, 'DESC', position)!;
    expect(read(cursor)).toEqual({ page_size: 5, direction: 'DESC', after: position });
  });

  it.each(['number', 'string'] as const)(
    'refuses a cursor of an order of other than %ss',
    (kind) => {
      const key = kind === 'number' ? 'a text' : 7;
      const cursor_down = encodeCursor(LIST, 'DESC', { key, id: 'GroupID_a' })!;
      const page = { page_size: 5, direction: 'DESC', cursor_down } as const;
      expect(pageRequest(LIST, page, kind)).toMatchObject({
        refusal: 'invalid-field',
        details: [{ pointer: '/cursor_down' }],
      });
    },
  );

  it.each([
    [{ key: 1_700_000_000_000, id: 'GroupID_a' }],
    [{ key: 'ünïcode ✓', id: 'GroupID_a' }],
    [{ key: '', id: 'GroupID_a' }],
  ])('refuses cursors of the position %j that lost or gained characters', (position) => {
    const cursor = encodeCursor(LIST, 'DESC', position)!;
    const cut = Array.from({ length: cursor.length - 1 }, (_, at) => cursor.slice(0, at + 1));
    const longer = [`${cursor}!`, ` ${cursor}`, `${cursor}\n`, `${cursor}=`, `${cursor}AAAA`];
    for (const damaged of [...cut, ...longer])
      expect(read(damaged)).toMatchObject({ refusal: 'invalid-field' });
  });
});
