import { canonicalJson } from './hashing.js';

describe('canonical JSON', () => {
  it('does not depend on the order of members', () => {
    expect(canonicalJson({ b: 1, a: { d: 1, c: 2 } })).toBe('{"a":{"c":2,"d":1},"b":1}');
    expect(canonicalJson({ a: 1, b: 2 })).toBe(canonicalJson({ b: 2, a: 1 }));
  });

  it('writes numbers and texts as JavaScript does', () => {
    expect(canonicalJson({ n: [1e21, 0.1, -0, 1e-7], t: '€"\\\u000f' })).toBe(
      '{"n":[1e+21,0.1,0,1e-7],"t":"€\\"\\\\\\u000f"}',
    );
  });

  it('takes backslashes before a u, and pairs of surrogates', () => {
    const texts = ['\\ud800', '\\\\udfff', '\u0001\\ud800', '😀'];
    expect(JSON.parse(canonicalJson({ texts }))).toEqual({ texts });
  });

  it('leaves out undefined members', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  it.each([
    ['a lone surrogate', { a: '\ud800' }],
    ['a lone surrogate in a name', { 'a\udc00': 1 }],
    ['NaN', { a: Number.NaN }],
    ['infinity', { a: { b: Infinity } }],
    ['a lone surrogate after a backslash', { a: '\\\ud800' }],
  ])('has no form for %s', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(/surrogate|NaN|Infinity|finite/i);
  });
});
