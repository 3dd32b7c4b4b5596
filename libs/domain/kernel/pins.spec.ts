import { Pins } from './pins.js';

describe('Pins', () => {
  it('name the records of a label, and forget those that lose it', () => {
    const pins = new Pins();
    pins.replaced('b', undefined, ['x', 'y']);
    pins.replaced('a', undefined, ['x']);
    expect([...pins.of('x')].sort()).toEqual(['a', 'b']);
    pins.replaced('b', ['x', 'y'], ['y']);
    expect([pins.of('x'), pins.of('y')]).toEqual([['a'], ['b']]);
    pins.replaced('a', ['x'], undefined);
    expect([pins.of('x'), pins.first('x', 9)]).toEqual([[], []]);
  });

  it('keep the order of ids that was asked for, whatever comes and goes', () => {
    const pins = new Pins();
    const ids = Array.from({ length: 200 }, (_, at) => `id-${(at * 37) % 200}`);
    for (const id of ids.slice(0, 50)) pins.replaced(id, undefined, ['x']);
    expect(pins.first('x', 200)).toEqual(ids.slice(0, 50).sort());
    for (const id of ids.slice(50)) pins.replaced(id, undefined, ['x']);
    for (const id of ids.slice(0, 120)) pins.replaced(id, ['x'], []);
    expect(pins.first('x', 200)).toEqual(ids.slice(120).sort());
    expect(pins.first('x', 3)).toEqual(ids.slice(120).sort().slice(0, 3));
    for (const id of ids.slice(120)) pins.replaced(id, ['x'], undefined);
    pins.replaced('again', undefined, ['x']);
    expect(pins.first('x', 200)).toEqual(['again']);
  });
});
