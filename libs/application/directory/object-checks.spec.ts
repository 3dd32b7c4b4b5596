import { setImmediate as nextTurn } from 'node:timers/promises';
import { type HeadAnswer, type HeadSender, ObjectChecks } from './object-checks.js';
import type { SignedHead } from './signing.js';

const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const CREDENTIALS = {
  endpoint: 'https://gateway.example.com',
  access_key: 'AKIAIOSFODNN7EXAMPLE',
  secret_key: SECRET,
  bucket: 'content',
  region: 'eu-central-1',
};
const OBJECT = {
  drive_id: 'DriveID_1',
  auth_json: JSON.stringify(CREDENTIALS),
  object_key: 'DriveID_1/DiskID_2/FileID_3/a b.pdf',
};
const DIGEST = 'ab'.repeat(32);
const CHECKSUM = Buffer.from(DIGEST, 'hex').toString('base64');

function answering(answer: HeadAnswer): { checks: ObjectChecks; sent: SignedHead[] } {
  const sent: SignedHead[] = [];
  const sender: HeadSender = {
    send: async (request) => {
      sent.push(request);
      return answer;
    },
  };
  return { checks: new ObjectChecks({ sender, timeout_ms: 5_000, parallel_max: 4 }), sent };
}

const check = (checks: ObjectChecks, object = OBJECT) => checks.check(object, checks.deadline());

/** An answer with these headers beside the length. */
const found = (headers: Record<string, string> = {}) =>
  answering({ status: 200, headers: { 'content-length': '7', ...headers } });

describe('asking a bucket for an object', () => {
  it('signs a request for its metadata with the checksum', async () => {
    const { checks, sent } = found();
    await check(checks);
    const { url, headers } = sent[0]!;
    const { pathname, searchParams: query, origin } = new URL(url);
    expect([origin, pathname]).toEqual([
      'https://gateway.example.com',
      '/content/DriveID_1/DiskID_2/FileID_3/a%20b.pdf',
    ]);
    expect(headers).toEqual({ 'x-amz-checksum-mode': 'ENABLED' });
    expect(query.get('X-Amz-SignedHeaders')).toBe('host;x-amz-checksum-mode');
    expect(query.get('X-Amz-Expires')).toBe('60');
    expect(url).not.toContain(encodeURIComponent(SECRET));
  });

  it('finds size, digest and media type', async () => {
    const { checks } = found({
      ...{ 'content-type': 'application/pdf', 'x-amz-checksum-sha256': CHECKSUM },
      'x-amz-checksum-type': 'FULL_OBJECT',
    });
    expect(await check(checks)).toEqual({
      ...{ object_key: OBJECT.object_key, size: 7 },
      ...{ sha256: DIGEST, media_type: 'application/pdf' },
    });
  });

  it.each<[string, Record<string, string>]>([
    ['no digest', {}],
    ['the digest of digests', { 'x-amz-checksum-sha256': `${CHECKSUM}-3` }],
    [
      'a digest of parts',
      { 'x-amz-checksum-sha256': CHECKSUM, 'x-amz-checksum-type': 'COMPOSITE' },
    ],
    ['a digest that is too short', { 'x-amz-checksum-sha256': 'AAAA' }],
  ])('knows no digest from %s', async (_, headers) =>
    expect(await check(found(headers).checks)).toMatchObject({ size: 7, sha256: null }),
  );

  it.each([
    [404, 'object-missing'],
    [403, 'object-missing'],
    [301, 'bucket-refused'],
    [307, 'bucket-refused'],
    [400, 'bucket-refused'],
    [429, 'bucket-unavailable'],
    [500, 'bucket-unavailable'],
    [503, 'bucket-unavailable'],
  ])('takes the status %i for %s', async (status, refusal) => {
    const { checks } = answering({ status, headers: {} });
    expect(await check(checks)).toMatchObject({
      refusal,
      details: [{ pointer: '/upload_status', reason: expect.any(String) as string }],
    });
  });

  it.each(['', '-1', '1.5', 'x', '99999999999999999999'])('refuses the size %j', async (length) => {
    const { checks } = answering({ status: 200, headers: { 'content-length': length } });
    expect(await check(checks)).toMatchObject({ refusal: 'bucket-refused' });
  });

  it.each([
    [true, 'bucket-refused'],
    [false, 'bucket-unavailable'],
  ])('without an answer is refused with the reason (lasting: %j)', async (is_lasting, refusal) => {
    const { checks } = answering({ status: null, reason: 'why', is_lasting });
    const details = [{ pointer: '/upload_status', reason: 'why' }];
    expect(await check(checks)).toEqual({ refusal, details });
  });

  it.each(['{}', 'no JSON', JSON.stringify({ ...CREDENTIALS, endpoint: 'not an address' })])(
    'sends nothing with the credentials %s, and does not quote them',
    async (auth_json) => {
      const { checks, sent } = found();
      const refused = await check(checks, { ...OBJECT, auth_json });
      expect(refused).toMatchObject({ refusal: 'bucket-refused' });
      expect(JSON.stringify(refused)).not.toContain('not an address');
      expect(sent).toEqual([]);
    },
  );

  it('signs nothing while too many checks wait', async () => {
    const pending = Promise.withResolvers<HeadAnswer>();
    const sender: HeadSender = { send: () => pending.promise };
    const checks = new ObjectChecks({ sender, timeout_ms: 5_000, parallel_max: 1 });
    const first = check(checks);
    let is_read = false;
    const unread = {
      ...OBJECT,
      get auth_json() {
        is_read = true;
        return OBJECT.auth_json;
      },
    };
    const second = check(checks, unread);
    for (let turns = 0; turns < 20; turns++) await nextTurn();
    expect(is_read).toBe(false);
    pending.resolve({ status: 404, headers: {} });
    await Promise.all([first, second]);
    expect(is_read).toBe(true);
  });

  it('is refused where too many checks wait', async () => {
    const pending = Promise.withResolvers<HeadAnswer>();
    const sender: HeadSender = { send: () => pending.promise };
    const checks = new ObjectChecks({ sender, timeout_ms: 5_000, parallel_max: 1 });
    const first = check(checks);
    const controller = new AbortController();
    const second = checks.check(OBJECT, controller.signal);
    controller.abort();
    expect(await second).toMatchObject({ refusal: 'bucket-unavailable' });
    pending.resolve({ status: 404, headers: {} });
    expect(await first).toMatchObject({ refusal: 'object-missing' });
  });
});
