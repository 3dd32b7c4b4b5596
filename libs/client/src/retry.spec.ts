import { breakOff, failure, FakeService, success } from '../testing/fake-service.js';
import { ConnectionError, DriveError } from './errors.js';
import { connect, connectFactory } from './index.js';
import { RETRY_LIMITS, waitBefore } from './retry.js';

const GROUP = { id: 'GroupID_1' };

describe('a request', () => {
  let service: FakeService;

  beforeAll(async () => {
    service = await FakeService.start();
  });
  afterAll(() => service.stop());

  const drive = (retry = {}) =>
    connect({
      url: service.url,
      drive_id: 'DriveID_1',
      api_key: 'key',
      retry: { first_wait_ms: 1, ...retry },
    });
  const keys = () => service.received.map(({ headers }) => headers['idempotency-key']);

  it('is repeated under one Idempotency-Key after a lost connection', async () => {
    service.script(breakOff, breakOff, success(GROUP));
    expect(await drive().groups.create({ name: 'Finance' })).toEqual(GROUP);
    const [first, ...others] = keys();
    expect(first).toMatch(/^[\da-f-]{36}$/);
    expect(others).toEqual([first, first]);
  });

  it('has a key of its own', async () => {
    service.script(success(GROUP));
    const client = drive();
    await client.groups.create({});
    await client.groups.create({});
    await client.groups.create({}, { idempotency_key: 'mine' });
    expect(new Set(keys()).size).toBe(3);
    expect(keys()[2]).toBe('mine');
  });

  it('is repeated after an answer that broke off', async () => {
    service.script((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"ok":');
      setImmediate(() => response.destroy());
    }, success(GROUP));
    expect(await drive().groups.get('GroupID_1')).toEqual(GROUP);
  });

  it.each([429, 503])('is repeated after %i', async (status) => {
    service.script(failure(status, 'rate.limited', { 'retry-after': '0' }), success(GROUP));
    expect(await drive().groups.create({})).toEqual(GROUP);
    expect(service.received).toHaveLength(2);
  });

  it('does not wait longer than allowed', async () => {
    service.script(failure(429, 'rate.limited', { 'retry-after': '2' }));
    const limited = drive({ max_wait_ms: 1000 }).groups.list();
    await expect(limited).rejects.toMatchObject({ type: 'rate.limited', retry_after_s: 2 });
    expect(service.received).toHaveLength(1);
  });

  it('is given up after the attempts allowed', async () => {
    service.script(breakOff);
    await expect(drive({ attempts: 3 }).groups.list()).rejects.toBeInstanceOf(ConnectionError);
    expect(service.received).toHaveLength(3);
  });

  it('is not repeated after a refusal', async () => {
    service.script(failure(403, 'permission.denied'), success(GROUP));
    await expect(drive().groups.create({})).rejects.toMatchObject({ type: 'permission.denied' });
    expect(service.received).toHaveLength(1);
  });

  it.each([
    ['a lost connection', breakOff],
    ['503', failure(503, 'outcome-unknown', { 'retry-after': '0' })],
  ])('without a key is not repeated after %s', async (_, step) => {
    service.script(step, success(GROUP));
    const action = drive().groups.create({}, { idempotency_key: null });
    await expect(action).rejects.toBeInstanceOf(Error);
    const factory = connectFactory({ url: service.url, retry: { first_wait_ms: 1 } });
    service.script(step, success(GROUP));
    await expect(factory.quickstart({})).rejects.toBeInstanceOf(Error);
    expect(service.received).toHaveLength(1);
  });

  it('without a key is repeated after 429, which had no effect', async () => {
    service.script(failure(429, 'rate.limited', { 'retry-after': '0' }), success(GROUP));
    const factory = connectFactory({ url: service.url, retry: { first_wait_ms: 1 } });
    expect(await factory.quickstart({})).toEqual(GROUP);
    expect(keys()).toEqual([undefined, undefined]);
  });

  it('can be aborted while it waits', async () => {
    const closing = new AbortController();
    service.script((request, response) => {
      failure(503, 'drive.busy', { 'retry-after': '20' })(request, response);
      response.once('finish', () => setImmediate(() => closing.abort()));
    });
    const read = drive().groups.list({}, { signal: closing.signal });
    await expect(read).rejects.toThrow('aborted');
    expect(service.received).toHaveLength(1);
  });

  it('answered by something between is a lost connection', async () => {
    service.script((_, response) => response.writeHead(502).end('<html>'), success(GROUP));
    expect(await drive().groups.get('GroupID_1')).toEqual(GROUP);
    service.script((_, response) => response.writeHead(404).end('<html>'));
    const lost = drive().groups.get('GroupID_1');
    await expect(lost).rejects.toMatchObject({ name: 'ConnectionError', status: 404 });
  });

  it('carries the last revision seen, if it reads', async () => {
    service.script(success(GROUP, { 'drive-revision': '7' }));
    const client = drive();
    await client.groups.list();
    await client.groups.list();
    await client.groups.create({});
    client.waitFor(9);
    await client.groups.list();
    await client.groups.list({}, { min_revision: 3 });
    const sent = service.received.map(({ headers }) => headers['min-drive-revision']);
    expect(sent).toEqual([undefined, '7', undefined, '9', '3']);
  });

  it('carries only revisions seen since they were forgotten, as after a restored backup', async () => {
    service.script(success(GROUP, { 'drive-revision': '7' }));
    const client = drive();
    await client.groups.list();
    service.script(success(GROUP, { 'drive-revision': '5' }));
    client.forgetRevision();
    await client.groups.list();
    await client.groups.list();
    const sent = service.received.map(({ headers }) => headers['min-drive-revision']);
    expect(sent).toEqual([undefined, '5']);
  });

  it('takes the default of an option that is undefined', async () => {
    service.script(breakOff);
    const retry = { first_wait_ms: 1, attempts: undefined as unknown as number };
    const client = connect({ url: service.url, drive_id: 'DriveID_1', retry });
    await expect(client.groups.list()).rejects.toMatchObject({ name: 'ConnectionError' });
    expect(service.received).toHaveLength(5);
  });

  it('asks for a fresh token each time', async () => {
    let nth = 0;
    service.script(breakOff, success(GROUP));
    const client = connect({
      url: service.url,
      drive_id: 'DriveID_1',
      api_key: async () => `token${++nth}`,
      retry: { first_wait_ms: 1 },
    });
    await client.groups.list();
    const tokens = service.received.map(({ headers }) => headers.authorization);
    expect(tokens).toEqual(['Bearer token1', 'Bearer token2']);
  });
});

describe('the wait before an attempt', () => {
  const limited = (retry_after_s: number | null) =>
    new DriveError(
      { code: 503, type: 'drive.busy', message: '', request_id: '', details: [] },
      retry_after_s,
    );
  const wait = (error: unknown, nth = 1): number | null =>
    waitBefore(error, nth, true, RETRY_LIMITS);

  it('is at least what the service asks for, and a little more', () => {
    const waits = Array.from({ length: 50 }, () => wait(limited(3))!);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(3000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(3200);
    expect(new Set(waits).size).toBeGreaterThan(1);
    expect(wait(limited(31))).toBeNull();
  });

  it('doubles up to the longest', () => {
    const lost = new ConnectionError('', null);
    const ranges = [1, 2, 3, 20].map((nth) => {
      const waits = Array.from({ length: 50 }, () => wait(lost, nth)!);
      return [Math.min(...waits), Math.max(...waits)] as const;
    });
    const longest = [200, 400, 800, 30_000];
    for (const [at, [least, most]] of ranges.entries()) {
      expect(least).toBeGreaterThanOrEqual(longest[at]! / 2);
      expect(most).toBeLessThanOrEqual(longest[at]!);
    }
  });
});
