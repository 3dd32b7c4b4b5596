import fc from 'fast-check';
import { invitesInOrder, membershipsInOrder } from './active-memberships.js';
import { GROUPS, RandomDrive, steps, USERS } from './testing/random-drive.js';

describe('members of a group and groups of a user in order', () => {
  it('are the same kept in step as made anew', () => {
    let compared = 0;
    fc.assert(
      fc.property(steps, (taken) => {
        const random = new RandomDrive();
        const { state } = random;
        for (const [at, step] of taken.entries()) {
          random.take(step);
          // Windows open and close between 1 and 9.
          const now = Math.floor(at / 5);
          for (const group_id of GROUPS) {
            const made = invitesInOrder(state, group_id, now, Infinity);
            expect([group_id, invitesInOrder(state, group_id, now, 0)]).toEqual([group_id, made]);
            compared += made.length;
          }
          for (const user_id of USERS) {
            const made = membershipsInOrder(state, user_id, now, Infinity);
            expect([user_id, membershipsInOrder(state, user_id, now, 0)]).toEqual([user_id, made]);
            compared += made.length;
          }
        }
      }),
      { numRuns: 60 },
    );
    expect(compared).toBeGreaterThan(1_000);
  });
});
