import { privateKeyOf, rawPublicKey, signMessage } from './ed25519.js';
import { selfAuthenticatingPrincipal } from './principal.js';
import { makeSignatureToken, verifySignature, type SignatureSetting } from './signature.js';
import { encodeToken, parseToken, type SignatureToken } from './token.js';

const SIGNED_MS = 1_700_000_000_000;
const SETTING = { now_ms: SIGNED_MS, drive_id: 'DriveID_a', host: 'https://api.example' };

const key = privateKeyOf(Buffer.alloc(32, 7));
const other_key = privateKeyOf(Buffer.alloc(32, 8));
const principal = selfAuthenticatingPrincipal(rawPublicKey(key));

function read(token: string): SignatureToken {
  const parsed = parseToken(token);
  if (parsed.kind !== 'signature') throw new Error(`Read as ${parsed.kind}`);
  return parsed;
}

const made = (details: object = {}) =>
  read(makeSignatureToken(key, { timestamp_ms: SIGNED_MS, ...details }));

const verdict = (token: SignatureToken, setting: Partial<SignatureSetting> = {}) => {
  const result = verifySignature(token, { ...SETTING, ...setting });
  return result.ok ? 'ok' : result.reason;
};

describe('a signature', () => {
  it('names the user, the nonce and the end of its life', () => {
    expect(verifySignature(made({ nonce: 'n' }), SETTING)).toEqual({
      ok: true,
      user_id: `UserID_${principal}`,
      nonce: 'n',
      expires_ms: SIGNED_MS + 30_000,
    });
    expect(verifySignature(made(), SETTING)).not.toHaveProperty('nonce', expect.anything());
  });

  it('is valid for 30 s, the last millisecond included', () => {
    expect(verdict(made(), { now_ms: SIGNED_MS + 30_000 })).toBe('ok');
    expect(verdict(made(), { now_ms: SIGNED_MS + 30_001 })).toBe('expired');
  });

  it('may come from a clock 30 s ahead, not more', () => {
    expect(verdict(made(), { now_ms: SIGNED_MS - 30_000 })).toBe('ok');
    expect(verdict(made(), { now_ms: SIGNED_MS - 30_001 })).toBe('not-yet-valid');
  });

  it('for a drive counts there only', () => {
    expect(verdict(made({ drive_id: 'DriveID_a' }))).toBe('ok');
    expect(verdict(made({ drive_id: 'DriveID_b' }))).toBe('wrong-drive');
    expect(verdict(made({ drive_id: '' }))).toBe('wrong-drive');
  });

  it('for a host counts there only', () => {
    expect(verdict(made({ host: 'https://api.example' }))).toBe('ok');
    expect(verdict(made({ host: 'https://api.example.evil' }))).toBe('wrong-host');
    expect(verdict(made({ host: '' }))).toBe('wrong-host');
  });

  it('must name drive and host where an audience is demanded', () => {
    const demanded = { require_audience: true };
    const { drive_id, host } = SETTING;
    expect(verdict(made({ drive_id, host }), demanded)).toBe('ok');
    expect(verdict(made({ drive_id }), demanded)).toBe('audience-missing');
    expect(verdict(made({ host }), demanded)).toBe('audience-missing');
    expect(verdict(made(), demanded)).toBe('audience-missing');
    expect(verdict(made(), { require_audience: false })).toBe('ok');
  });

  it('must come with the principal of its own key', () => {
    const token = made();
    const others = selfAuthenticatingPrincipal(rawPublicKey(other_key));
    expect(verdict({ ...token, canonical_principal: others })).toBe('wrong-principal');
    expect(verdict({ ...token, canonical_principal: principal.toUpperCase() })).toBe(
      'wrong-principal',
    );
    expect(verdict({ ...token, canonical_principal: '' })).toBe('wrong-principal');
  });

  it("cannot speak for somebody else's principal, even rightly signed", () => {
    const challenge = {
      timestamp_ms: SIGNED_MS,
      self_auth_principal: Array.from(rawPublicKey(other_key)),
      canonical_principal: principal,
    };
    expect(verdict(read(signed(challenge, other_key)))).toBe('wrong-principal');
  });

  it('by another key is refused', () => {
    const challenge = {
      timestamp_ms: SIGNED_MS,
      self_auth_principal: Array.from(rawPublicKey(key)),
      canonical_principal: principal,
    };
    expect(verdict(read(signed(challenge, key)))).toBe('ok');
    expect(verdict(read(signed(challenge, other_key)))).toBe('wrong-signature');
  });

  it('covers unknown members, in the order they came', () => {
    const challenge = {
      unknown: { deep: ['é', 1.5] },
      canonical_principal: principal,
      self_auth_principal: Array.from(rawPublicKey(key)),
      timestamp_ms: SIGNED_MS,
    };
    const { unknown, ...known } = challenge;
    const signature = signatureOf(challenge, key);
    expect(verdict(read(envelope(challenge, signature)))).toBe('ok');
    expect(verdict(read(envelope(known, signature)))).toBe('wrong-signature');
    expect(verdict(read(envelope({ ...known, unknown }, signature)))).toBe('wrong-signature');
  });

  it.each([
    ['a later timestamp', { timestamp_ms: SIGNED_MS + 1 }],
    ['another nonce', { nonce: 'm' }],
    ['no nonce', { nonce: undefined }],
    ['an added member', { more: 1 }],
  ])('does not cover a challenge changed to have %s', (_, change) => {
    const token = makeSignatureToken(key, { timestamp_ms: SIGNED_MS, nonce: 'n' });
    const { challenge, signature } = JSON.parse(Buffer.from(token, 'base64').toString('utf8'));
    expect(verdict(read(envelope(challenge, signature)))).toBe('ok');
    expect(verdict(read(envelope({ ...challenge, ...change }, signature)))).toBe('wrong-signature');
  });

  it('with any one byte changed is refused', () => {
    const token = made();
    for (let at = 0; at < 64; at++) {
      const signature = Uint8Array.from(token.signature);
      signature[at]! ^= 0x10;
      expect(verdict({ ...token, signature })).toBe('wrong-signature');
    }
  });
});

function signatureOf(challenge: object, private_key: typeof key): number[] {
  return Array.from(signMessage(private_key, Buffer.from(JSON.stringify(challenge), 'utf8')));
}

function envelope(challenge: object, signature: number[]): string {
  return encodeToken({ auth_type: 'SIGNATURE', challenge, signature });
}

function signed(challenge: object, private_key: typeof key): string {
  return envelope(challenge, signatureOf(challenge, private_key));
}
