import { createHash, createHmac } from 'node:crypto';
import { signDownload, signHead, signUpload } from './signing.js';

const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const AUTH_JSON = JSON.stringify({
  endpoint: 'https://gateway.example.com',
  access_key: 'AKIAIOSFODNN7EXAMPLE',
  secret_key: SECRET,
  bucket: 'content',
  region: 'eu-central-1',
});
const KEY = 'DriveID_1/DiskID_2/FileID_3/FileID_3.p d+f';

const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

/** AWS Signature Version 4: a key derived from day, region and service signs a text. */
function signature(date: string, text: string): string {
  const day = hmac(`AWS4${SECRET}`, date.slice(0, 8));
  const key = hmac(hmac(hmac(day, 'eu-central-1'), 's3'), 'aws4_request');
  return hmac(key, text).toString('hex');
}

/** Percent-encoding as Signature Version 4 requires it. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

describe('URLs signed without a network', () => {
  it('an upload form is signed over its policy, and the policy lists the allowed fields', async () => {
    const before = Date.now();
    const { url, fields } = await signUpload(AUTH_JSON, {
      object_key: KEY,
      max_bytes: 1234,
      file_name: 'Zoë.pdf',
    });
    expect(url.replace(/\/$/, '')).toBe('https://gateway.example.com/content');
    expect(fields['X-Amz-Signature']).toBe(signature(fields['X-Amz-Date']!, fields['Policy']!));
    const policy = JSON.parse(Buffer.from(fields['Policy']!, 'base64').toString('utf8'));
    expect(policy.conditions).toEqual(
      expect.arrayContaining([
        { bucket: 'content' },
        { key: KEY },
        { acl: 'private' },
        ['content-length-range', 0, 1234],
      ]),
    );
    const lives_ms = Date.parse(policy.expiration) - before;
    expect(lives_ms).toBeGreaterThan(24 * 3_600_000 - 2_000);
    expect(lives_ms).toBeLessThan(24 * 3_600_000 + 60_000);
    const served = {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `inline; filename="Zo_.pdf"; filename*=UTF-8''Zo%C3%AB.pdf`,
    };
    expect(fields).toMatchObject({ key: KEY, acl: 'private', bucket: 'content', ...served });
    for (const [name, value] of Object.entries(served))
      expect(policy.conditions).toContainEqual({ [name]: value });
    expect(JSON.stringify(fields)).not.toContain(SECRET);
  });

  it('a download URL is signed over its own parts and valid for an hour', async () => {
    const url = new URL(await signDownload(AUTH_JSON, KEY));
    const query = url.searchParams;
    expect(url.host).toBe('gateway.example.com');
    expect(decodeURIComponent(url.pathname)).toBe(`/content/${KEY}`);
    expect(query.get('X-Amz-Expires')).toBe('3600');
    const date = query.get('X-Amz-Date')!;
    const scope = `${date.slice(0, 8)}/eu-central-1/s3/aws4_request`;
    expect(query.get('X-Amz-Credential')).toBe(`AKIAIOSFODNN7EXAMPLE/${scope}`);
    const canonical_query = [...query]
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join('&');
    const canonical = [
      'GET',
      `/content/${KEY}`.split('/').map(encode).join('/'),
      canonical_query,
      'host:gateway.example.com\n',
      'host',
      'UNSIGNED-PAYLOAD',
    ].join('\n');
    const hashed = createHash('sha256').update(canonical).digest('hex');
    const text = ['AWS4-HMAC-SHA256', date, scope, hashed].join('\n');
    expect(query.get('X-Amz-Signature')).toBe(signature(date, text));
  });

  it('let other requests be answered between signatures', async () => {
    let turns = 0;
    let is_over = false;
    const turn = (): void => {
      turns++;
      if (!is_over) setImmediate(turn);
    };
    await signHead(AUTH_JSON, KEY);
    setImmediate(turn);
    await Promise.all(
      Array.from({ length: 10 }, () => [
        signHead(AUTH_JSON, KEY),
        signUpload(AUTH_JSON, { object_key: KEY, max_bytes: 1, file_name: 'a' }),
      ]).flat(),
    );
    is_over = true;
    expect(turns).toBeGreaterThanOrEqual(18);
  });

  it('are made after one has failed', async () => {
    const failing = signHead('no JSON', KEY);
    const next = signDownload(AUTH_JSON, KEY);
    await expect(failing).rejects.toThrow('not valid JSON');
    expect(await next).toContain('X-Amz-Signature');
  });
});
