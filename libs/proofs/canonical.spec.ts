import { describe, expect, it } from '@jest/globals';
import canonicalize from 'canonicalize';
import * as fc from 'fast-check';
import { canonicalJson as byService } from '../engine/proofs/hashing.js';
import { Malformed, canonicalJson } from './hashes.js';

const orRefused = (write: (value: unknown) => string, value: unknown): string => {
  try {
    return write(value);
  } catch {
    return 'refused';
  }
};

describe('canonical JSON', () => {
  it('is what the service and a library for RFC 8785 write, for any JSON', () => {
    const by_library = (value: unknown): string => canonicalize(value)!;
    const any_text = fc.string({ unit: 'binary' });
    const any = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.dictionary(any_text, any_text));
    fc.assert(
      fc.property(any, (value) => {
        const expected = orRefused(by_library, value);
        expect(orRefused(canonicalJson, value)).toBe(expected);
        expect(orRefused(byService, value)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it('orders members by UTF-16 code units and has no form for what JSON cannot say', () => {
    expect(canonicalJson({ '\ue000': 1, '😀': 2, b: [1e21, -0, 0.1], a: 'é\n' })).toBe(
      '{"a":"é\\n","b":[1e+21,0,0.1],"😀":2,"\ue000":1}',
    );
    for (const value of ['\ud800', Number.NaN, { a: undefined }])
      expect(() => canonicalJson(value)).toThrow(Malformed);
  });
});
