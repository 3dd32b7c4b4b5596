import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Organization } from '../support/client.js';
import { put, type RawAnswer } from '../support/content.js';
import { makeDisk, makeFile, type TestDisk } from '../support/directory.js';
import { TestService } from '../support/service.js';
import { createUpload, ofUpload, sendTo } from '../support/tus.js';

const DAY_MS = 86_400_000;

describe('unfinished uploads and quotas', () => {
  let service: TestService;
  let org: Organization;
  let disk: TestDisk;
  let now = Date.now();

  beforeAll(async () => {
    service = await TestService.start({ CONTENT_QUOTA_BYTES: '1500' }, { clock: () => now });
  });
  beforeEach(async () => {
    org = await service.organization('Bob');
    disk = await makeDisk(org, { quota_bytes: 1000 });
  });
  afterAll(() => service.stop());

  const create = async (length: number | null, on = disk, by = org.admin): Promise<RawAnswer> => {
    const { id } = await makeFile(org.admin, on, `${randomBytes(6).toString('hex')}.bin`);
    return createUpload(by, id, length);
  };
  const url = ({ headers }: RawAnswer) => headers.get('location')!;
  const limitOf = ({ status, body }: RawAnswer) => [
    ...[status, body?.err.type, body?.err.details[0].limit],
  ];
  const tooLarge = (limit: number) => [413, 'content.too-large', limit];

  it('an announced length beyond what others have announced on the disk is 413', async () => {
    const [bob] = org.members;
    const first = await create(600, disk, bob!);
    expect(first.status).toBe(201);
    expect(limitOf(await create(401))).toEqual(tooLarge(400));
    expect((await create(400)).status).toBe(201);
    expect(limitOf(await create(1))).toEqual(tooLarge(0));
    expect((await ofUpload(bob!, url(first), 'DELETE')).status).toBe(204);
    expect((await create(600)).status).toBe(201);
  });

  it('the quota of the organization counts those on all disks', async () => {
    const other = await makeDisk(org);
    await create(900);
    expect(limitOf(await create(601, other))).toEqual(tooLarge(600));
    expect((await create(600, other)).status).toBe(201);
  });

  it('an upload does not count beside its own bytes, nor twice when it is finished', async () => {
    const at = url(await create(1000));
    expect((await sendTo(org.admin, at, 0, randomBytes(400))).status).toBe(204);
    expect((await sendTo(org.admin, at, 400, randomBytes(600))).status).toBe(204);
    expect(limitOf(await create(1))).toEqual(tooLarge(0));
    const other = await makeDisk(org);
    expect((await create(500, other)).status).toBe(201);
  });

  it('a length announced late, and bytes without one, count like any other', async () => {
    const at = url(await create(null));
    expect((await sendTo(org.admin, at, 0, randomBytes(300))).status).toBe(204);
    expect(limitOf(await create(701))).toEqual(tooLarge(700));
    await create(500);
    expect(limitOf(await sendTo(org.admin, at, 300, randomBytes(201)))).toEqual(tooLarge(500));
    expect((await sendTo(org.admin, at, 300, randomBytes(100))).status).toBe(204);
    const late = await sendTo(org.admin, at, 400, '', { 'upload-length': '501' });
    expect(limitOf(late)).toEqual(tooLarge(500));
    const next = url(await create(null));
    expect((await sendTo(org.admin, next, 0, '', { 'upload-length': '500' })).status).toBe(204);
    expect(limitOf(await create(1))).toEqual(tooLarge(0));
  });

  it('expired uploads do not count, nor do unfinished ones for other ways to upload', async () => {
    await create(1000);
    now += DAY_MS;
    expect((await create(1000)).status).toBe(201);
    const { id } = await makeFile(org.admin, disk, 'put.bin');
    expect((await put(org.admin, id, randomBytes(1000))).status).toBe(200);
  });

  it('are not read again by each request', async () => {
    // Other processes change them.
    if (service.server.stores.on_server) return;
    const { contents } = service.server.stores;
    await create(1);
    const size = jest.spyOn(contents, 'size');
    const lookups = async (task: Promise<unknown>): Promise<number> => {
      size.mockClear();
      await task;
      return size.mock.calls.length;
    };
    try {
      const beside_few = await lookups(create(1));
      for (let nth = 0; nth < 10; nth++) await create(1);
      expect(await lookups(create(1))).toBe(beside_few);
    } finally {
      size.mockRestore();
    }
  });
});
