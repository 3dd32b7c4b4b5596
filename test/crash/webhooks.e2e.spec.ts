import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type Organization } from '../support/client.js';
import { Receiver } from '../support/receiver.js';
import { organizations } from './load.js';
import { buildServer, ServiceProcess } from '../support/processes.js';

const WRITERS = 8;
/** Deliveries after which a round ends, other ones each round so that other moments are met. */
const DELIVERIES = [20, 71, 132];
const A_WHILE_MS = 240_000;

describe('webhooks of a server process', () => {
  let data_dir: string;
  let receiver: Receiver;
  let server: ServiceProcess | undefined;

  beforeAll(() => buildServer(), A_WHILE_MS);
  beforeEach(async () => {
    data_dir = await mkdtemp(join(tmpdir(), 'drive-crash-'));
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    await server?.kill('SIGKILL');
    await receiver.stop();
    await rm(data_dir, { recursive: true, force: true });
  });

  it('killed amid deliveries, again and again, are told of every event, in order, seldom twice', async () => {
    let org: Organization | undefined;
    let acknowledged = 0;
    const write = async (url: string): Promise<void> => {
      const client = new Client(`${url}/v1/drive/${org!.drive_id}`, org!.admin.token);
      for (;;) {
        const answer = await client.post('/organization/inbox', {}).catch(() => null);
        if (answer?.status !== 200) return;
        acknowledged = Math.max(acknowledged, Number(answer.headers.get('drive-revision')));
      }
    };
    let first = 0;
    for (const deliveries of DELIVERIES) {
      const killed = (server = await ServiceProcess.start('api', { DATA_DIR: data_dir }));
      if (!org) {
        [org] = await organizations(server.url, 1);
        const made = await org!.admin.post('/webhooks/create', {
          event: 'drive.state_diffs',
          alt_index: 'STATE_DIFFS',
          url: receiver.url(),
        });
        first = Number(made.headers.get('drive-revision')) + 1;
      }
      const writing = Array.from({ length: WRITERS }, () => write(killed.url));
      await receiver.until((got) => got.length >= deliveries);
      await killed.kill('SIGKILL');
      await Promise.all(writing);
    }
    server = await ServiceProcess.start('api', { DATA_DIR: data_dir });
    const revisions = (): number[] =>
      receiver.got.map(({ body }) => body.payload.after.data.revision as number);
    await receiver.until(() => Math.max(...revisions()) >= acknowledged);

    const told = revisions();
    const distinct = [...new Set(told)];
    expect(distinct).toEqual(Array.from(distinct, (_, at) => first + at));
    // Only what was under way when the process died may come twice.
    expect(told.length - distinct.length).toBeLessThanOrEqual(DELIVERIES.length);
    expect(distinct.length).toBeGreaterThan(DELIVERIES.at(-1)!);
  });
});
