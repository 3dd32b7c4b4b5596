import { recordOptions } from './record-options.js';

const GROUP = 'GroupID_a';
const chosen = { id: GROUP, name: 'Finance' };

/** Labels of all options but the tables. */
function labels(...of: Parameters<typeof recordOptions>): Record<string, string> {
  const options = recordOptions(...of).filter(({ value }) => !value.startsWith('TABLE_'));
  return Object.fromEntries(options.map(({ value, label }) => [value, label]));
}

describe('options of a choice among records', () => {
  it('name the chosen record, also if its id or name is searched', () => {
    expect(labels(chosen, '', [])).toEqual({ [GROUP]: 'Finance' });
    expect(labels(chosen, GROUP, [])).toEqual({ [GROUP]: 'Finance' });
    const found = [{ resource_id: GROUP, title: 'Finance' }];
    expect(labels(chosen, 'Fin', found)).toEqual({ [GROUP]: 'Finance' });
  });

  it('have an id that was typed, and the kinds of found records', () => {
    expect(labels(null, GROUP, [])).toEqual({ [GROUP]: GROUP });
    const found = [
      { resource_id: GROUP, title: 'Budget' },
      { resource_id: 'FileID_a', title: 'Bud\u202Eget' },
    ];
    expect(labels(null, 'Bud', found)).toEqual({
      [GROUP]: 'Budget (Group)',
      FileID_a: 'Bud⟨U+202E⟩get (File)',
    });
  });

  it('have the tables whose title contains the query', () => {
    const values = (query: string) => recordOptions(null, query, []).map(({ value }) => value);
    expect(values('audit')).toEqual(['TABLE_AUDIT']);
    expect(values('').length).toBeGreaterThan(5);
    expect(values('')).not.toContain('PUBLIC');
  });
});
