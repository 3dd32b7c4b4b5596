import { generateKeyPairSync, randomBytes, randomUUID, sign, verify } from 'node:crypto';
import { checkNeedle } from './needles.js';

describe('random values of specs', () => {
  it('come from the seed of the run: ids, bytes and keys', async () => {
    const digest = async (text: string) =>
      Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text)));
    const file = '/test/support/seeded.spec.ts';
    const block = await digest(`${process.env.SPEC_SEED} ${file} 0`);
    expect(randomBytes(4)).toEqual(block.subarray(0, 4));
    expect(randomBytes(28)).toEqual(block.subarray(4));
    expect(randomUUID()).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(randomUUID()).not.toBe(randomUUID());
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const text = Buffer.from('text');
    expect(verify(null, text, publicKey, sign(null, text, privateKey))).toBe(true);
  });
});

describe('a text that a spec filters or searches by', () => {
  const list = '/v1/drive/DriveID_abc/groups/list';

  it.each(['ada', 'FACE', 'a-b', '2', 'deadbee'])(
    'is refused where an id may hold it: %s',
    (text) => {
      expect(() => checkNeedle(list, JSON.stringify({ filters: text }))).toThrow(/by chance/);
      const search = '/v1/drive/DriveID_abc/organization/search?as_of=r3';
      expect(() => checkNeedle(search, JSON.stringify({ query: text }))).toThrow(/by chance/);
    },
  );

  it.each(['', 'a b', 'é', '~ada', 'eightchr', 'x'.repeat(256)])('may be: %s', (text) => {
    expect(() => checkNeedle(list, JSON.stringify({ filters: text }))).not.toThrow();
  });

  it('is looked at in lists and searches only, and as a text only', () => {
    expect(() => checkNeedle('/v1/x/webhooks/create', '{"filters":"a"}')).not.toThrow();
    expect(() => checkNeedle(list, '{"filters":{"prefix":"a"}}')).not.toThrow();
    expect(() => checkNeedle(list, '[')).not.toThrow();
    expect(() => checkNeedle(list, undefined)).not.toThrow();
  });
});
