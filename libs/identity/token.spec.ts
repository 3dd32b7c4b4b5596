import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import {
  encodeToken,
  makeApiKeyToken,
  MAX_NONCE_LENGTH,
  MAX_TOKEN_LENGTH,
  parseToken,
} from './token.js';

const KEY = { auth_type: 'API_KEY', value: 'ab'.repeat(32) };
const CHALLENGE = {
  timestamp_ms: 1_700_000_000_000,
  self_auth_principal: Array.from({ length: 32 }, (_, at) => at),
  canonical_principal: 'aaaaa-aa',
};
const SIGNED = {
  auth_type: 'SIGNATURE',
  challenge: CHALLENGE,
  signature: Array.from({ length: 64 }, (_, at) => 255 - at),
};

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const encodeText = (text: string) => Buffer.from(text, 'utf8').toString('base64');
const reasonOf = (token: string) => {
  const parsed = parseToken(token);
  return parsed.kind === 'malformed' ? parsed.reason : parsed.kind;
};

/** A good api key token of the given length, a multiple of 4. */
function room(length: number): string {
  const pad = (length / 4) * 3 - JSON.stringify({ ...KEY, pad: '' }).length;
  return encodeToken({ ...KEY, pad: 'x'.repeat(pad) });
}

describe('api key tokens', () => {
  it('are read as the digest and last four of the whole text', () => {
    const token = encodeToken(KEY);
    expect(parseToken(token)).toEqual({
      kind: 'api_key',
      digest: sha256(token),
      last4: token.slice(-4),
    });
  });

  it('are made of 32 random bytes, readable and never the same twice', () => {
    const { value, digest, last4 } = makeApiKeyToken();
    const content = JSON.parse(Buffer.from(value, 'base64').toString('utf8'));
    expect(Object.entries(content)).toEqual([
      ['auth_type', 'API_KEY'],
      ['value', expect.stringMatching(/^[0-9a-f]{64}$/)],
    ]);
    expect(parseToken(value)).toEqual({ kind: 'api_key', digest, last4 });
    expect(makeApiKeyToken().digest).not.toBe(digest);
  });

  it('are other keys when the same JSON is encoded in another way', () => {
    const padded = encodeToken(KEY);
    const bare = padded.replace(/=+$/, '');
    const spaced = encodeText(JSON.stringify(KEY, null, 1));
    expect(padded).not.toBe(bare);
    const digests = [padded, bare, spaced].map((token) => {
      const parsed = parseToken(token);
      return parsed.kind === 'api_key' ? parsed.digest : parsed;
    });
    expect(digests).toEqual([sha256(padded), sha256(bare), sha256(spaced)]);
  });

  it.each([
    ['no value', undefined],
    ['63 digits', 'a'.repeat(63)],
    ['65 digits', 'a'.repeat(65)],
    ['a letter beyond f', `${'a'.repeat(63)}g`],
    ['a line feed behind', `${'a'.repeat(64)}\n`],
    ['a number', 5],
    ['an array of the text', ['a'.repeat(64)]],
  ])('need 64 hex digits: %s is refused', (_, value) => {
    expect(reasonOf(encodeToken({ ...KEY, value }))).toBe('bad-key-value');
  });
});

describe('the encoding of tokens', () => {
  // Chosen so that the text needs both letters that differ between the alphabets.
  const content = { auth_type: 'API_KEY', value: 'ab'.repeat(32), note: '>>>???ÿþ~~~>>?' };
  const bytes = Buffer.from(JSON.stringify(content), 'utf8');
  const standard = bytes.toString('base64');

  it('may be standard or URL-safe, padded or not', () => {
    expect(standard).toMatch(/\+/);
    expect(standard).toMatch(/\//);
    const url_safe = bytes.toString('base64url');
    const padding = '='.repeat((4 - (url_safe.length % 4)) % 4);
    const forms = [standard, standard.replace(/=+$/, ''), url_safe, url_safe + padding];
    for (const token of forms) expect(reasonOf(token)).toBe('api_key');
  });

  it.each([
    ['both alphabets at once', standard.replace('+', '-')],
    ['a space', ` ${standard}`],
    ['a line feed behind', `${standard}\n`],
    ['padding inside', `${standard.slice(0, 8)}=${standard.slice(8)}`],
    ['a digit too many', `${'A'.repeat(4)}A`],
    ['too much padding', `${'A'.repeat(4)}=`],
    ['too little padding', 'AA='],
    ['three signs of padding', 'A==='],
    ['padding only', '='],
    ['a character outside ASCII', `${standard}é`],
    ['a lone surrogate', '\ud800'],
  ])('is refused with %s', (_, token) => {
    expect(reasonOf(token)).toBe('not-base64');
  });

  it('is bounded before it is decoded', () => {
    expect(room(MAX_TOKEN_LENGTH)).toHaveLength(MAX_TOKEN_LENGTH);
    expect(reasonOf(room(MAX_TOKEN_LENGTH))).toBe('api_key');
    expect(reasonOf(room(MAX_TOKEN_LENGTH + 4))).toBe('wrong-length');
    expect(reasonOf('')).toBe('wrong-length');
  });

  it.each([
    ['text that is no JSON', encodeText('hello')],
    ['an array', encodeText('[]')],
    ['null', encodeText('null')],
    ['a number', encodeText('1')],
    ['half an object', encodeText('{"auth_type":')],
    ['a byte order mark', encodeText(`\ufeff${JSON.stringify(KEY)}`)],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]).toString('base64')],
    ['deep nesting', encodeText('['.repeat(3000))],
  ])('must hold a JSON object: %s is refused', (_, token) => {
    expect(reasonOf(token)).toBe('not-a-json-object');
  });

  it('refuses an otherwise good key with a byte that is no UTF-8', () => {
    const broken = Buffer.from(JSON.stringify({ ...KEY, note: '~' }), 'utf8');
    expect(reasonOf(broken.toString('base64'))).toBe('api_key');
    broken[broken.indexOf('~')] = 0xff;
    expect(reasonOf(broken.toString('base64'))).toBe('not-a-json-object');
  });

  it.each([undefined, null, '', 'api_key', 'PASSWORD', ['API_KEY'], {}])(
    'refuses the auth_type %j',
    (auth_type) => {
      expect(reasonOf(encodeToken({ ...KEY, auth_type }))).toBe('unknown-auth-type');
    },
  );

  it('takes the auth_type from the object itself only', () => {
    const inherited = `{"__proto__":${JSON.stringify(KEY)}}`;
    expect(reasonOf(encodeText(inherited))).toBe('unknown-auth-type');
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', size: 'max', maxLength: 300 }), (text) => {
        expect(parseToken(text).kind).toBe('malformed');
        expect(parseToken(encodeText(text)).kind).toBe('malformed');
      }),
    );
    fc.assert(
      fc.property(fc.object({ key: fc.constantFrom(...Object.keys(CHALLENGE)) }), (challenge) => {
        parseToken(encodeToken({ ...SIGNED, challenge }));
      }),
    );
  });
});

describe('signature tokens', () => {
  const withChallenge = (change: object) =>
    encodeToken({ ...SIGNED, challenge: { ...CHALLENGE, ...change } });

  it('are read with keys and signature as bytes, and the text that was signed', () => {
    expect(parseToken(encodeToken(SIGNED))).toEqual({
      kind: 'signature',
      message: JSON.stringify(CHALLENGE),
      timestamp_ms: CHALLENGE.timestamp_ms,
      public_key: Uint8Array.from(CHALLENGE.self_auth_principal),
      canonical_principal: 'aaaaa-aa',
      signature: Uint8Array.from(SIGNED.signature),
    });
  });

  it('keep drive, host and nonce', () => {
    const audience = { drive_id: 'DriveID_a', host: 'h', nonce: 'n'.repeat(MAX_NONCE_LENGTH) };
    expect(parseToken(withChallenge(audience))).toMatchObject(audience);
  });

  it('are signed over members in received order, unknown ones too, without spaces', () => {
    const { timestamp_ms, self_auth_principal, canonical_principal } = CHALLENGE;
    const challenge = { x: { b: 1, a: [true, null] }, canonical_principal, timestamp_ms };
    const turned = { ...challenge, self_auth_principal, z: 'é' };
    const text = JSON.stringify({ ...SIGNED, challenge: turned }, null, 2);
    expect(parseToken(encodeText(text))).toMatchObject({ message: JSON.stringify(turned) });
  });

  it("are signed over JavaScript's own form: integer-like members first, numbers as it prints them", () => {
    const rest = JSON.stringify(CHALLENGE).slice(1);
    const text = `{"auth_type":"SIGNATURE","signature":${JSON.stringify(SIGNED.signature)},"challenge":{"b":1.50,"2":1e2,"1":0,${rest}}`;
    expect(parseToken(encodeText(text))).toMatchObject({
      message: `{"1":0,"2":100,"b":1.5,${rest}`,
    });
  });

  it('survive a challenge as deep as the length allows', () => {
    const deep = `${'['.repeat(1000)}${']'.repeat(1000)}`;
    const rest = JSON.stringify(CHALLENGE).slice(1);
    const text = `{"auth_type":"SIGNATURE","signature":${JSON.stringify(SIGNED.signature)},"challenge":{"x":${deep},${rest}}`;
    expect(reasonOf(encodeText(text))).toBe('signature');
  });

  it.each([
    ['no challenge', undefined],
    ['null', null],
    ['an array', [CHALLENGE]],
    ['a text', JSON.stringify(CHALLENGE)],
  ])('need an object as challenge: %s is refused', (_, challenge) => {
    expect(reasonOf(encodeToken({ ...SIGNED, challenge }))).toBe('bad-challenge');
  });

  const bytes32 = CHALLENGE.self_auth_principal;
  it.each([
    ['a missing timestamp', { timestamp_ms: undefined }],
    ['a timestamp as text', { timestamp_ms: '1700000000000' }],
    ['half a millisecond', { timestamp_ms: 1.5 }],
    ['a timestamp beyond exact integers', { timestamp_ms: 2 ** 53 }],
    ['a missing key', { self_auth_principal: undefined }],
    ['a key of 31 bytes', { self_auth_principal: bytes32.slice(1) }],
    ['a key of 33 bytes', { self_auth_principal: [...bytes32, 0] }],
    ['a byte of 256', { self_auth_principal: [...bytes32.slice(1), 256] }],
    ['a byte of -1', { self_auth_principal: [...bytes32.slice(1), -1] }],
    ['half a byte', { self_auth_principal: [...bytes32.slice(1), 0.5] }],
    ['a byte as text', { self_auth_principal: [...bytes32.slice(1), '1'] }],
    ['a key as object', { self_auth_principal: { ...bytes32, length: 32 } }],
    ['a missing principal', { canonical_principal: undefined }],
    ['a principal that is no text', { canonical_principal: 5 }],
    ['a drive that is no text', { drive_id: null }],
    ['a host that is no text', { host: ['h'] }],
    ['a nonce that is no text', { nonce: 1 }],
    ['a nonce of null', { nonce: null }],
    ['an empty nonce', { nonce: '' }],
    ['a nonce too long', { nonce: 'n'.repeat(MAX_NONCE_LENGTH + 1) }],
  ])('are refused with %s', (_, change) => {
    expect(reasonOf(withChallenge(change))).toBe('bad-challenge');
  });

  it.each([
    ['no signature', undefined],
    ['63 bytes', SIGNED.signature.slice(1)],
    ['65 bytes', [...SIGNED.signature, 0]],
    ['a byte of 256', [...SIGNED.signature.slice(1), 256]],
    ['a text', 'a'.repeat(64)],
  ])('need 64 bytes of signature: %s is refused', (_, signature) => {
    expect(reasonOf(encodeToken({ ...SIGNED, signature }))).toBe('bad-signature-bytes');
  });
});
