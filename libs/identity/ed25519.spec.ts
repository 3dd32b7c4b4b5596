import {
  privateKeyOf,
  publicKeyDer,
  randomPublicKey,
  rawPublicKey,
  signMessage,
  verifyMessage,
} from './ed25519.js';

const bytes = (hex: string) => Buffer.from(hex, 'hex');

/** RFC 8032, section 7.1, tests 1–3: secret, public, message, signature. */
const RFC_8032 = [
  [
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
  [
    'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
    'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    'af82',
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ],
] as const;

/** Order of the group, RFC 8032 section 5.1. */
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

describe('Ed25519', () => {
  it.each(RFC_8032)('agrees with RFC 8032 on the secret %s', (secret, pub, message, signature) => {
    const key = privateKeyOf(bytes(secret));
    expect(rawPublicKey(key).toString('hex')).toBe(pub);
    expect(signMessage(key, bytes(message)).toString('hex')).toBe(signature);
    expect(verifyMessage(bytes(pub), bytes(message), bytes(signature))).toBe(true);
  });

  it('refuses a signature with any one byte changed', () => {
    const [, pub, message, signature] = RFC_8032[2];
    for (let at = 0; at < 64; at++) {
      const broken = bytes(signature);
      broken[at]! ^= 1;
      expect(verifyMessage(bytes(pub), bytes(message), broken)).toBe(false);
    }
  });

  it('refuses another message and another key', () => {
    const [, pub, , signature] = RFC_8032[2];
    expect(verifyMessage(bytes(pub), bytes('af83'), bytes(signature))).toBe(false);
    expect(verifyMessage(bytes(RFC_8032[1][1]), bytes('af82'), bytes(signature))).toBe(false);
  });

  it('refuses the second form of a signature, S + order', () => {
    const [, pub, message, signature] = RFC_8032[1];
    const twin = bytes(signature);
    const s = BigInt(`0x${Buffer.from(twin.subarray(32).toReversed()).toString('hex')}`) + ORDER;
    twin.set(bytes(s.toString(16).padStart(64, '0')).toReversed(), 32);
    expect(verifyMessage(bytes(pub), bytes(message), twin)).toBe(false);
  });

  it('answers false, without an exception, for bytes that are no key', () => {
    const signature = bytes(RFC_8032[0][3]);
    for (let value = 0; value < 256; value++) {
      expect(verifyMessage(Buffer.alloc(32, value), Buffer.alloc(0), signature)).toBe(false);
    }
  });

  it('answers false for a signature of a wrong length', () => {
    const [, pub, , signature] = RFC_8032[0];
    expect(verifyMessage(bytes(pub), bytes(''), bytes(signature).subarray(0, 63))).toBe(false);
    expect(verifyMessage(bytes(pub), bytes(''), bytes(`${signature}00`))).toBe(false);
  });

  it('takes keys of 32 bytes only', () => {
    for (const length of [0, 31, 33]) {
      expect(() => publicKeyDer(Buffer.alloc(length))).toThrow(RangeError);
      expect(() => privateKeyOf(Buffer.alloc(length))).toThrow(RangeError);
    }
  });

  it('wraps a public key as the agent library of the Internet Computer does', () => {
    // dfinity/agent-js, packages/identity/src/identity/ed25519.test.ts
    const raw = 'b3997656ba51ff6da37b61d8d549ec80717266ecf48fb5da52b654412634844c';
    expect(publicKeyDer(bytes(raw)).toString('hex')).toBe(`302a300506032b6570032100${raw}`);
  });

  it('makes random keys of 32 bytes, never the same twice', () => {
    expect(randomPublicKey()).toHaveLength(32);
    expect(randomPublicKey()).not.toEqual(randomPublicKey());
  });
});
