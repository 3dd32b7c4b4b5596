import { ContentBusy, type Holder, Places } from './places.js';

const FAST: Holder = { isSlow: false, evict: () => {} };

/** Takes places for an organization until it gets no more. @returns frees each of them */
function takeAll(places: Places, drive_id: string, holder = FAST): (() => void)[] {
  const taken: (() => void)[] = [];
  for (;;)
    try {
      taken.push(places.take(drive_id, holder));
    } catch (error) {
      if (error instanceof ContentBusy) return taken;
      throw error;
    }
}

describe('places of uploads or downloads', () => {
  it('are left by two organizations that take all they get', () => {
    const places = new Places(64);
    const held = [takeAll(places, 'DriveID_a'), takeAll(places, 'DriveID_b')];
    expect(held.map(({ length }) => length)).toEqual([32, 16]);
    expect(takeAll(places, 'DriveID_c')).toHaveLength(8);
  });

  it('are one at least for an organization that has none, until all are taken', () => {
    const places = new Places(3);
    const held = ['DriveID_a', 'DriveID_b', 'DriveID_c'].map((drive_id) =>
      takeAll(places, drive_id),
    );
    expect(held.map(({ length }) => length)).toEqual([2, 1, 0]);
    expect(places.taken).toBe(3);
  });

  it('are free again afterwards', () => {
    const places = new Places(8);
    const [first, ...rest] = takeAll(places, 'DriveID_a');
    expect(rest).toHaveLength(3);
    first!();
    expect(takeAll(places, 'DriveID_a')).toHaveLength(1);
    for (const free of rest) free();
    expect(places.taken).toBe(1);
    expect(takeAll(places, 'DriveID_a')).toHaveLength(3);
  });

  it('beyond their share are those of slow clients of organizations that hold more', () => {
    const places = new Places(8);
    const ended: string[] = [];
    const slow = (name: string): Holder => ({ isSlow: true, evict: () => void ended.push(name) });
    const held = takeAll(places, 'DriveID_a');
    const [first] = takeAll(places, 'DriveID_b', slow('b'));
    places.take('DriveID_c', FAST);
    places.take('DriveID_d', slow('d'));
    expect([held.length, places.taken]).toEqual([4, 8]);
    const [fifth, ...more] = takeAll(places, 'DriveID_e');
    expect([ended, more.length, places.taken]).toEqual([['b'], 0, 8]);
    expect(() => places.take('DriveID_c', FAST)).toThrow(ContentBusy);
    // Its place is another one's.
    first!();
    expect(places.taken).toBe(8);
    fifth!();
    expect(places.taken).toBe(7);
  });
});
