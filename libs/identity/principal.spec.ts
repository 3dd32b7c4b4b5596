import { crc32 } from 'node:zlib';
import { base32nopad } from '@scure/base';
import * as fc from 'fast-check';
import {
  isPrincipalText,
  principalBytes,
  principalText,
  selfAuthenticatingPrincipal,
} from './principal.js';

const hex = (text: string) => Buffer.from(text, 'hex');

/** Text and bytes of known principals. */
const KNOWN = [
  // The management canister and the anonymous caller, interface specification.
  ['aaaaa-aa', ''],
  ['2vxsx-fae', '04'],
  // The worked example of the interface specification: CRC-32 of abcd01 is 233ff206.
  ['em77e-bvlzu-aq', 'abcd01'],
  // dfinity/candid, printing of principals.
  ['psokg-ww6vw-7o6', 'deadbeef'],
] as const;

/** Ed25519 public keys and their principals, from independent implementations. */
const KEYS = [
  // AstroxNetwork/agent_dart, test/fixture/ed25519.pem and test/wallet/pem.dart
  [
    '61af1290b8a7f8e409de23505f00610d707bd8c09ad5a6fdb116843f03d930be',
    'uz7u7-ut6sf-gx45r-pb3ww-ntxjp-y4lv2-bdobd-65xa3-7yt6t-ti2lz-aqe',
  ],
  // The key of RFC 8032 section 7.1 test 1, computed elsewhere with Python's standard library
  [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    'e73il-iz5tp-nkgt7-idxyw-ngkah-47bpv-qdase-pzde6-g6vwc-a3eql-jae',
  ],
  // 32 zero bytes, candid::Principal::self_authenticating
  ['00'.repeat(32), 'ukev2-6iweo-izmyj-rdxlb-jun6n-nef5z-gk2lp-fuzke-7ghpu-jecqq-iae'],
] as const;

describe('principals', () => {
  it.each(KNOWN)('writes and reads %s', (text, bytes) => {
    expect(principalText(hex(bytes))).toBe(text);
    expect(Buffer.from(principalBytes(text)!).toString('hex')).toBe(bytes);
    expect(isPrincipalText(text)).toBe(true);
  });

  it.each(KEYS)('derives the principal of the key %s', (key, text) => {
    expect(selfAuthenticatingPrincipal(hex(key))).toBe(text);
    const bytes = principalBytes(text)!;
    expect(bytes).toHaveLength(29);
    expect(bytes[28]).toBe(2);
  });

  it('reads back whatever it writes, from 0 to 29 bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 29, size: 'max' }), (bytes) => {
        const text = principalText(bytes);
        expect(text.length).toBeLessThanOrEqual(63);
        expect(principalBytes(text)).toEqual(bytes);
      }),
    );
  });

  it('takes exactly 32 bytes for a key and at most 29 for a principal', () => {
    expect(() => selfAuthenticatingPrincipal(Buffer.alloc(31))).toThrow(RangeError);
    expect(() => selfAuthenticatingPrincipal(Buffer.alloc(33))).toThrow(RangeError);
    expect(principalText(Buffer.alloc(29, 0xff))).toHaveLength(63);
    expect(() => principalText(Buffer.alloc(30))).toThrow(RangeError);
  });

  it('refuses the text with any one character replaced', () => {
    const text = KEYS[0][1];
    for (let at = 0; at < text.length; at++) {
      const other = text[at] === 'b' ? 'c' : 'b';
      expect(isPrincipalText(text.slice(0, at) + other + text.slice(at + 1))).toBe(false);
    }
  });

  it.each([
    ['nothing', ''],
    ['fewer bytes than a checksum', 'aaaa'],
    ['upper case', 'AAAAA-AA'],
    ['no dash', 'aaaaaaa'],
    ['a dash in the wrong place', 'aaaa-aaa'],
    ['a doubled dash', 'aaaaa--aa'],
    ['a final dash', 'aaaaa-aa-'],
    ['padding', 'aaaaa-aa='],
    ['a digit that base32 lacks', 'aaaaa-a1'],
    ['bits behind the last byte', 'aaaaa-ab'],
    ['a space before', ' aaaaa-aa'],
    ['a line feed behind', 'aaaaa-aa\n'],
    ['a letter that folds to ASCII', 'aaaaa-aſ'],
    ['a very long text', 'a'.repeat(1_000_000)],
  ])('refuses %s', (_, text) => {
    expect(isPrincipalText(text)).toBe(false);
  });

  it('refuses 30 bytes even with the right checksum, grouped or not', () => {
    const bytes = Buffer.alloc(34);
    bytes.writeUInt32BE(crc32(bytes.subarray(4)));
    const digits = base32nopad.encode(bytes).toLowerCase();
    expect(isPrincipalText(digits.match(/.{1,5}/g)!.join('-'))).toBe(false);
    expect(isPrincipalText(digits)).toBe(false);
  });
});
