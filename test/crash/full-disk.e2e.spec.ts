import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import { eventually } from '../../libs/engine/testing/eventually.js';
import type { Organization } from '../support/client.js';
import { describeWith } from '../support/needs.js';
import { removeDisk, smallDisk } from '../support/small-disk.js';
import { TestService } from '../support/service.js';

describeWith('small_disk')('a service whose disk is full', () => {
  let disk: string;
  let filler: string;
  let service: TestService;
  let org: Organization;
  const lines: any[] = [];
  const ready = async () => {
    const { status, body } = await service.client().get('/ready');
    return [status, body.ready, body.stores_answer, body.appends_succeed];
  };
  const note = () => org.admin.post('/organization/inbox', { payload: { text: 'x'.repeat(4000) } });
  const fill = (): void => {
    for (const size of [1 << 20, 1 << 16, 1 << 12, 1])
      try {
        for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
  };

  beforeAll(async () => {
    disk = smallDisk()!;
    filler = join(disk, 'filler');
    const logger = new JsonLogger('info', { write: (line) => void lines.push(JSON.parse(line)) });
    service = await TestService.start({ DATA_DIR: join(disk, 'data') }, { logger });
    org = await service.organization();
  });
  afterAll(async () => {
    try {
      await service.stop();
    } finally {
      removeDisk(disk);
    }
  });

  it('refuses commands with 503, is not ready, says so once, and goes on when there is room', async () => {
    expect(await ready()).toEqual([200, true, true, true]);
    fill();
    let stored = 0;
    let answer = await note();
    // The log of the file may have room from before.
    for (; answer.status === 200; answer = await note()) stored += 1;
    expect([answer.status, answer.err.type]).toEqual([503, 'drive.store-failed']);
    const { revision } = (await org.admin.post('/organization/replay')).data;
    for (let times = 0; times < 20; times++) expect((await note()).status).toBe(503);
    // Longer than background work waits before it tries again, and longer than between two questions to the store.
    const until = Date.now() + 2_500;
    while (Date.now() < until) {
      expect(await ready()).toEqual([503, false, true, false]);
      await after(250);
    }
    // What is there can be read.
    expect((await org.admin.get('/organization/about')).status).toBe(200);
    const told = () => lines.filter(({ what }) => what !== undefined);
    expect(told().filter(({ what }) => what.startsWith('appends fail'))).toMatchObject([
      { level: 'error', drive_id: org.drive_id, err: { message: expect.stringContaining('full') } },
    ]);
    for (const what of new Set(told().map((line) => line.what)))
      expect([what, told().filter((line) => line.what === what)]).toEqual([
        what,
        [expect.anything()],
      ]);

    rmSync(filler);
    await eventually(async () => (await ready())[0] === 200);
    expect(await ready()).toEqual([200, true, true, true]);
    const back = lines.filter(({ message }) => /^appends succeed again after \d+ s$/.test(message));
    expect(back).toMatchObject([{ level: 'info' }]);
    expect((await note()).status).toBe(200);
    const after_all = (await org.admin.post('/organization/replay', { verify: true })).data;
    expect([after_all.revision, after_all.verified]).toEqual([revision + 1, true]);
    expect(stored).toBeLessThan(10_000);
  });

  it('stops in order on a full disk, and finds everything when it starts again', async () => {
    fill();
    const { revision } = (await org.admin.post('/organization/replay')).data;
    expect((await note()).status).toBe(503);
    await expect(service.server.close()).resolves.toBe(undefined);
    rmSync(filler);
    await service.restart({ PORT: new URL(service.url).port });
    const again = (await org.admin.post('/organization/replay', { verify: true })).data;
    expect([again.revision, again.verified]).toEqual([revision, true]);
  });
});
