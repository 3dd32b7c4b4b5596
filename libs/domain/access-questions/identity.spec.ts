import { event } from '../foundation/events.js';
import { SpecDrive } from '../testing/drive.js';
import { Identities } from './identity.js';

/** Swaps at revisions 1, 2, …, each `from>to` with the ids' last letters. */
function identities(...swaps: readonly string[]): Identities {
  const drive = new SpecDrive();
  for (const swap of swaps) {
    const [current_user_id, new_user_id] = swap.split('>') as [string, string];
    drive.given(event('UserSuperswapped', { current_user_id, new_user_id, updated_count: 0 }));
  }
  return new Identities(drive.state);
}

describe('ids through superswaps', () => {
  it('a current id resolves to the former ids in their time', () => {
    const ids = identities('a>b', 'b>c');
    expect([0, 1, 2, 9].map((revision) => ids.userThen('c', revision))).toEqual([
      'a',
      'b',
      'c',
      'c',
    ]);
  });

  it('a former id resolves to itself', () => {
    const ids = identities('a>b');
    expect([ids.userThen('a', 0), ids.userThen('a', 1)]).toEqual(['a', 'a']);
  });

  it('an id that was swapped back means the same person at all times', () => {
    const ids = identities('a>b', 'b>a');
    expect([0, 1, 2].map((revision) => ids.userThen('a', revision))).toEqual(['a', 'b', 'a']);
  });

  it('an id that belonged to another user before resolves to no user at that time', () => {
    const ids = identities('a>b', 'a>c');
    expect([ids.userThen('c', 1), ids.userThen('c', 0), ids.userThen('b', 0)]).toEqual([
      'a',
      '',
      'a',
    ]);
    expect(ids.resourceThen('c', 0)).toBe('c');
  });

  it('follows an id forward from a point', () => {
    const ids = identities('a>b', 'b>c');
    expect([0, 1, 2].map((revision) => ids.since('a', revision))).toEqual(['c', 'a', 'a']);
    expect([ids.since('b', 1), ids.newSince(0), ids.newSince(1)]).toEqual(['c', ['b', 'c'], ['c']]);
  });
});
