import type { Context } from '../../domain/foundation/decision.js';
import type { DriveState } from '../../domain/foundation/state.js';
import type { Drives } from '../../engine/drives/drives.js';
import type { IndexedEvents } from '../../engine/read-models/indexed-events.js';
import type { Drive } from '../../engine/writer/drive.js';
import { allIdsOf } from './event-query.js';
import { unknownIn } from './known-names.js';

const SWAPS = 1_000;

/** A state in which nobody has a contact. */
function swapped(swaps: readonly (readonly [string, string])[]) {
  let reads = 0;
  const values = () => {
    reads++;
    return swaps.map(([old_user_id, new_user_id]) => ({ old_user_id, new_user_id })).values();
  };
  const contacts = { where: () => [], get: () => undefined };
  const state = { contacts, superswaps: { values } } as unknown as DriveState;
  return { state, reads: () => reads };
}

describe('ids of a user across many superswaps', () => {
  it.each([
    ['first', 0],
    ['middle', SWAPS / 2],
    ['last', SWAPS],
  ])('are all found from the %s one, in one pass over the superswaps', (_, at) => {
    const chain = Array.from(
      { length: SWAPS },
      (_none, nth) => [`u${nth}`, `u${nth + 1}`] as const,
    );
    const { state, reads } = swapped([...chain, ['other', 'others']]);
    const ids = allIdsOf(state, `u${at}`);
    expect(ids[0]).toBe(`u${at}`);
    expect(ids.toSorted()).toEqual(
      Array.from({ length: SWAPS + 1 }, (_none, nth) => `u${nth}`).toSorted(),
    );
    expect(reads()).toBe(1);
  });
});

describe('types of events in a query', () => {
  it('are looked up together if this release does not know them', async () => {
    const asked: (readonly string[])[] = [];
    const indexed = {
      to: 9,
      countTypes: async (_: object, types: readonly string[]) => {
        asked.push(types);
        return types.map((type) => Number(type === 'Former'));
      },
    } as unknown as IndexedEvents;
    const types = ['GroupCreated', 'None', 'Former', 'Nothing'];
    const found = await unknownIn({} as Drives, {} as Drive, {} as Context, { types }, indexed);
    expect(found).toMatchObject({
      refusal: 'unknown-id',
      details: [{ pointer: '/types/1' }, { pointer: '/types/3' }],
    });
    expect(asked).toEqual([['None', 'Former', 'Nothing']]);
  });
});
