import { MOST_FIRST, Pins } from './pins.js';

describe('Pins', () => {
  it('list the records of a label, and drop those that lose it', () => {
    const pins = new Pins();
    pins.replaced('b', undefined, ['x', 'y']);
    pins.replaced('a', undefined, ['x']);
    expect([...pins.of('x')].sort()).toEqual(['a', 'b']);
    pins.replaced('b', ['x', 'y'], ['y']);
    expect([pins.of('x'), pins.of('y')]).toEqual([['a'], ['b']]);
    pins.replaced('a', ['x'], undefined);
    expect([pins.of('x'), pins.first('x')]).toEqual([[], []]);
  });

  it('return the first ones by id after any changes, however often they are requested', () => {
    const queried = new Pins();
    const live = new Set<string>();
    const ids = Array.from({ length: 2 * MOST_FIRST }, (_, at) => `id-${(at * 997) % 5003}`);
    const both = [queried, new Pins()];
    const change = (id: string, added: boolean): void => {
      if (live.has(id) === added) return;
      for (const pins of both)
        pins.replaced(id, added ? undefined : ['x'], added ? ['x'] : undefined);
      if (added) live.add(id);
      else live.delete(id);
    };
    const look = (): void =>
      expect(queried.first('x')).toEqual([...live].sort().slice(0, MOST_FIRST));
    for (const [at, id] of ids.entries()) {
      change(id, true);
      if (at % 50 === 0 || Math.abs(at - MOST_FIRST) < 3) look();
    }
    for (const [at, id] of ids.entries()) {
      change(id, false);
      if (at % 3 === 0) change(ids[(at * 7) % ids.length]!, true);
      if (at % 50 === 0 || Math.abs(live.size - MOST_FIRST) < 3) look();
    }
    look();
    expect(both[1]!.first('x')).toEqual(queried.first('x'));
    expect(live.size).toBeGreaterThan(0);
  });
});
