import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Beside } from '../harness/beside.js';
import { get, post, type Request } from '../harness/load.js';
import { show } from '../harness/report.js';
import type { Line, Row } from '../harness/row.js';
import { startService } from '../harness/servers.js';
import { copyOf, dataset } from '../seed/datasets.js';
import { longDriveOrder } from '../seed/orders.js';

/** What callers of another organization feel while a long one is loaded from its first event on, replayed, verified. */
export const row: Row = {
  name: 'cold-load',
  async run(bench): Promise<readonly Line[]> {
    const seeded = await dataset(longDriveOrder(bench), bench);
    const { drive_id, owner } = seeded;
    const folder = await copyOf(seeded, bench);
    // Without them everything is folded.
    await rm(join(folder, 'snapshots.db'), { force: true });
    const service = await startService(bench, folder);
    const beside = await Beside.of(service, bench);
    try {
      const idle = await beside.idle();
      const during = (what: string, request: Request): Promise<readonly Line[]> =>
        beside.during(what, [request], idle);
      const organization = `/v1/drive/${drive_id}/organization`;
      const asked = (path: string, body: object): Request =>
        post(`${organization}/${path}`, JSON.stringify(body), owner.token);
      const revision = seeded.events - 2;
      return [
        ...(await during(
          `${show(seeded.events)} events are loaded cold`,
          get(`${organization}/whoami`, owner.token),
        )),
        ...(await during('they are replayed', asked('replay', { revision }))),
        ...(await during(
          'they are replayed and verified',
          asked('replay', { revision, verify: true }),
        )),
        ...(await during('the organization is verified', asked('verify', {}))),
      ];
    } finally {
      beside.close();
      await service.stop();
    }
  },
};
