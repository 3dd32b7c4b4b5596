import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { canonicalJson as bySomebodyElse } from '../engine/proofs/hashing.js';
import { Malformed, canonicalJson } from './hashes.js';

const orRefused = (write: (value: unknown) => string, value: unknown): string => {
  try {
    return write(value);
  } catch {
    return 'refused';
  }
};

describe('canonical JSON', () => {
  it('is what the service writes, for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        expect(orRefused(canonicalJson, value)).toBe(orRefused(bySomebodyElse, value));
      }),
      { numRuns: 500 },
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
