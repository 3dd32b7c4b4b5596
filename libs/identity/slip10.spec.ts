import { HDKey } from 'micro-key-producer/slip10.js';
import { privateKeyOf, rawPublicKey } from './ed25519.js';
import { slip10Ed25519 } from './slip10.js';

const SEED_1 = '000102030405060708090a0b0c0d0e0f';
const SEED_2 =
  'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542';

/** SLIP-0010, "Test vector 1 for ed25519" and "Test vector 2 for ed25519": seed, path, private, public. */
const VECTORS: [string, number[], string, string][] = [
  [
    SEED_1,
    [],
    '2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7',
    'a4b2856bfec510abab89753fac1ac0e1112364e7d250545963f135f2a33188ed',
  ],
  [
    SEED_1,
    [0],
    '68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3',
    '8c8a13df77a28f3445213a0f432fde644acaa215fc72dcdf300d5efaa85d350c',
  ],
  [
    SEED_1,
    [0, 1, 2, 2, 1000000000],
    '8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793',
    '3c24da049451555d51a7014a37337aa4e12d41e485abccfa46b47dfb2af54b7a',
  ],
  [
    SEED_2,
    [0, 2147483647],
    'ea4f5bfe8694d8bb74b7b59404632fd5968b774ed545e810de9c32a4fb4192f4',
    '5ba3b9ac6e90e83effcd25ac4e58a1365a9e35a3d3ae5eb07b9e4d90bcf7506d',
  ],
  [
    SEED_2,
    [0, 2147483647, 1, 2147483646, 2],
    '551d333177df541ad876a60ea71f00447931c0a9da16f227c11ea080d7391b8d',
    '47150c75db263559a70d5778bf36abbab30fb061ad69f69ece61a72b0cfa4fc0',
  ],
];

describe('SLIP-0010', () => {
  it.each(VECTORS)('agrees with the vectors on %s at %j', (seed, path, secret, pub) => {
    const derived = slip10Ed25519(Buffer.from(seed, 'hex'), path);
    expect(derived.toString('hex')).toBe(secret);
    expect(rawPublicKey(privateKeyOf(derived)).toString('hex')).toBe(pub);
  });

  it('agrees with the library on the path of the Internet Computer', () => {
    for (let value = 0; value < 5; value++) {
      const seed = Buffer.alloc(64, value);
      const library = HDKey.fromMasterSeed(seed).derive("m/44'/223'/0'/0'/0'").privateKey;
      expect(slip10Ed25519(seed, [44, 223, 0, 0, 0])).toEqual(Buffer.from(library));
    }
  });

  it('refuses seeds and indices outside their range', () => {
    const seed = Buffer.alloc(16);
    expect(() => slip10Ed25519(Buffer.alloc(15), [])).toThrow(RangeError);
    expect(() => slip10Ed25519(Buffer.alloc(65), [])).toThrow(RangeError);
    for (const index of [-1, 2147483648, 0.5, Number.NaN]) {
      expect(() => slip10Ed25519(seed, [index])).toThrow(RangeError);
    }
  });
});
