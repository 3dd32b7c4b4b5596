import canonicalize from 'canonicalize';
import * as fc from 'fast-check';
import { canonicalJson } from './hashing.js';

/** Names that are easily taken for others, beside any at all. */
const aName = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'c', 'a\nb', 'b\nc', '\n', '10', '9', '-1', '__proto__', 'ä', 'Z'),
  fc.string({ unit: 'grapheme' }),
);
const aMember = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.date({ noInvalidDate: true }));
const aValue = fc.oneof(aMember, fc.array(aMember), fc.dictionary(aName, aMember));
const anObject = fc.dictionary(aName, aValue);

describe('canonical JSON', () => {
  it('is what RFC 8785 says, whatever was written before', () => {
    fc.assert(
      fc.property(anObject, (object) => {
        expect(canonicalJson(object)).toBe(canonicalize(object));
      }),
      { numRuns: 3000 },
    );
  });

  it('never takes the members of one object for those of another', () => {
    const alike = [{ 'a\nb': 1, c: 2 }, { a: 1, 'b\nc': 2 }, { a: 1, b: 2, c: 3 }, { '': 1 }, {}];
    for (const objects of [alike, alike.toReversed()])
      for (const object of objects) expect(JSON.parse(canonicalJson(object))).toEqual(object);
  });

  it('does not depend on the order of members', () => {
    expect(canonicalJson({ b: 1, a: { d: 1, c: 2 } })).toBe('{"a":{"c":2,"d":1},"b":1}');
    expect(canonicalJson({ a: 1, b: 2 })).toBe(canonicalJson({ b: 2, a: 1 }));
  });

  it('writes numbers and texts as JavaScript does', () => {
    expect(canonicalJson({ n: [1e21, 0.1, -0, 1e-7], t: '€"\\\u000f' })).toBe(
      '{"n":[1e+21,0.1,0,1e-7],"t":"€\\"\\\\\\u000f"}',
    );
  });

  it('leaves out undefined members', () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  it.each([
    ['a lone surrogate', { a: '\ud800' }],
    ['a lone surrogate in a name', { 'a\udc00': 1 }],
    ['NaN', { a: Number.NaN }],
    ['infinity', { a: { b: Infinity } }],
  ])('has no form for %s', (_, value) => {
    expect(() => canonicalJson(value)).toThrow(/surrogate|NaN|Infinity|finite/i);
  });
});
