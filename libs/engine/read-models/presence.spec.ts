import { Presence } from './presence.js';

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;
const DAY = 86_400_000;

describe('presence', () => {
  it('has the first call of a user in a minute', () => {
    const presence = new Presence(new Map([['ann', NOW]]), NOW);
    presence.touch('ann', NOW + MINUTE - 1);
    expect(presence.lastOnline('ann')).toBe(NOW);
    presence.touch('ann', NOW + MINUTE);
    expect(presence.lastOnline('ann')).toBe(NOW + MINUTE);
    expect([...presence.takeUnsaved()]).toEqual([['ann', NOW + MINUTE]]);
  });

  it('does not stay at a time to come, after a clock that was ahead', () => {
    const presence = new Presence(new Map([['ann', NOW + DAY]]), NOW);
    expect(presence.lastOnline('ann')).toBe(NOW);
    presence.touch('ann', NOW + DAY);
    presence.touch('ann', NOW + MINUTE);
    expect(presence.lastOnline('ann')).toBe(NOW + MINUTE);
    presence.learn(
      new Map([
        ['ann', NOW + DAY],
        ['bob', NOW + 2 * MINUTE],
      ]),
      NOW + MINUTE,
    );
    expect(['ann', 'bob'].map(presence.lastOnline)).toEqual([NOW + MINUTE, NOW + 2 * MINUTE]);
  });
});
