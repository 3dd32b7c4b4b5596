import { personOptions } from './person-options.js';

const [ANN, BOB, CAT] = ['UserID_aaaaaa', 'UserID_bbbbbb', 'UserID_cccccc'] as const;
const found = [
  { id: ANN, name: 'Same' },
  { id: BOB, name: 'Same' },
  { id: CAT, name: 'Cat' },
];

describe('options of a choice among people', () => {
  it('tell people of the same name apart', () => {
    expect(personOptions(null, found)).toEqual([
      { value: ANN, label: 'Same (…aaaaaa)' },
      { value: BOB, label: 'Same (…bbbbbb)' },
      { value: CAT, label: 'Cat' },
    ]);
  });

  it('name the chosen one the same whatever was found, since the field shows it', () => {
    const chosen = { id: BOB, name: 'Same' };
    const labels = [found, [], found.slice(0, 1), [{ id: BOB, name: 'Renamed' }]].map((people) =>
      personOptions(chosen, people).filter(({ value }) => value === BOB),
    );
    expect(labels).toEqual(labels.map(() => [{ value: BOB, label: 'Same' }]));
    expect(personOptions(chosen, found)).toContainEqual({ value: ANN, label: 'Same (…aaaaaa)' });
  });

  it('show characters that would hide', () => {
    expect(personOptions(null, [{ id: ANN, name: 'A\u202Enn' }])).toEqual([
      { value: ANN, label: 'A⟨U+202E⟩nn' },
    ]);
  });
});
