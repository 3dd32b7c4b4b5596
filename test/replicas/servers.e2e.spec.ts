import { jest } from '@jest/globals';
import { JsonLogger } from '../../apps/api/platform/logs/logging.js';
import { loadSettings } from '../../apps/api/platform/settings/settings.js';
import { type RunningServer, startServer } from '../../apps/api/server.js';
import type { Rebuild } from '../../libs/event-store/stores.js';
import { type RunningWorker, startWorker } from '../../apps/worker/start.js';
import { eventually } from '../../libs/engine/testing/eventually.js';
import { kurrentTarget, type KurrentTarget } from '../servers/kurrentdb/target.js';
import { describeWithMongo } from '../servers/mongodb/describe.js';
import { type MongoServer, startMongo } from '../servers/mongodb/server.js';
import { Client, type Organization, organizationOf } from '../support/client.js';
/** No rebuild counts as running. */
const NONE = { from_ms: Infinity, to_ms: Infinity };
const silent = new JsonLogger('silent');

/** Two API processes and their workers, each with connections of its own. */
describeWithMongo.each(['mongodb', 'memory'])(
  'the service on its servers, read model in %s',
  (read_model) => {
    let kurrent: KurrentTarget;
    let mongo: MongoServer;
    let env: Record<string, string>;
    let one: RunningServer;
    let other: RunningServer;
    let workers: RunningWorker[];
    let org: Organization;
    let there: Organization;

    const start = () => startServer(loadSettings(env), { logger: silent });
    const work = async (): Promise<RunningWorker> => {
      const worker = await startWorker(loadSettings(env), silent);
      workers.push(worker);
      return worker;
    };
    const stop = async (worker: RunningWorker): Promise<void> => {
      workers = workers.filter((running) => running !== worker);
      await worker.close();
    };
    const at = (revision: string | null) => ({ 'Min-Drive-Revision': revision! });
    const groupsOf = async (client: Client, headers = {}): Promise<string[]> => {
      const { status, data, body } = await client.post('/groups/list', { page_size: 100 }, headers);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return data.items.map(({ name }: { name: string }) => name);
    };
    const create = async (client: Client, name: string): Promise<string> => {
      const { headers } = await client.post('/groups/create', { name });
      return headers.get('drive-revision')!;
    };

    beforeAll(async () => {
      [kurrent, mongo] = await Promise.all([kurrentTarget(), startMongo()]);
      env = {
        ...{ PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'silent', SHUTDOWN_TIMEOUT_MS: '1000' },
        ...{ EVENT_STORE: 'kurrentdb', KURRENTDB_URL: kurrent.url, READ_MODEL: read_model },
        ...{ MONGODB_URL: mongo.url, MONGODB_DATABASE: mongo.freshDatabase() },
        ...{ MASTER_KEY: 'ab'.repeat(32), SIGNING_KEY: 'cd'.repeat(32) },
        ...{ WORKER_PARTITIONS: '4', WORKER_LEASE_MS: '1000' },
      };
      workers = [];
      await work();
      [one, other] = await Promise.all([start(), start()]);
      const body = { org_name: 'Shared', members: [{ name: 'Bob' }] };
      const { data } = await new Client(one.url).post('/v1/factory/quickstart', body);
      org = organizationOf(one.url, data);
      there = organizationOf(other.url, data);
    });

    afterAll(async () => {
      await Promise.all([one, other].map((server) => server.close()));
      await Promise.all(workers.map((worker) => worker.close()));
      await Promise.all([kurrent.close(), mongo.stop()]);
    });

    it('an organization made by one process is there in the other at once', async () => {
      expect((await there.admin.get('/organization/whoami')).data.userID).toBe(org.admin.user_id);
      expect(await groupsOf(there.admin)).toContain('Group for All');
    });

    it('a process shows what it has acknowledged, and another what a client names', async () => {
      const revision = await create(org.admin, 'Acknowledged');
      expect(await groupsOf(org.admin)).toContain('Acknowledged');
      expect(await groupsOf(there.admin, at(revision))).toContain('Acknowledged');
      const found = await there.admin.post(
        '/organization/search',
        { query: 'knowledg', categories: ['GROUPS'] },
        at(revision),
      );
      expect(found.data.items).toMatchObject([{ title: 'Acknowledged' }]);
    });

    it('commands at both at one time lose nothing and double nothing', async () => {
      const names = Array.from({ length: 20 }, (_, n) => `Race ${n}`);
      const made = await Promise.all(
        names.map((name, n) => create(n % 2 ? org.admin : there.admin, name)),
      );
      const last = String(Math.max(...made.map(Number)));
      const shown = await groupsOf(org.admin, at(last));
      expect(shown.filter((name) => name.startsWith('Race')).sort()).toEqual(names.toSorted());
    });

    it('what one has just written lets a caller in at the other, and a command through, without being named', async () => {
      // Now and then the other has heard of it by itself; not each time.
      for (let nth = 0; nth < 10; nth++) {
        const key = (await org.admin.post('/api_keys/create', { name: 'Fresh' })).data.value;
        expect((await there.as(key).get('/organization/whoami')).status).toBe(200);
        const { id } = (await org.admin.post('/groups/create', { name: 'Fresh' })).data;
        const renamed = await there.admin.post('/groups/update', { id, name: 'Renamed' });
        expect([renamed.status, renamed.data?.name]).toEqual([200, 'Renamed']);
      }
    });

    it('a listener on one hears what another writes', async () => {
      const ending = new AbortController();
      const { body } = await fetch(`${there.admin.base}/organization/events`, {
        headers: { authorization: `Bearer ${there.admin.token}` },
        signal: ending.signal,
      });
      const reader = body!.getReader();
      await reader.read();
      await create(org.admin, 'Heard');
      let text = '';
      while (!text.includes('GroupCreated')) {
        const { value, done } = await reader.read();
        if (done) break;
        text += Buffer.from(value).toString();
      }
      expect(text).toContain('event: GroupCreated');
      ending.abort();
    });

    it('a right that was taken away at one counts at the other, with the records of that moment', async () => {
      const [bob] = there.members;
      const invites = await org.admin.post('/contacts/delete', { id: bob!.user_id });
      const revision = invites.headers.get('drive-revision');
      expect((await bob!.post('/groups/list', {}, at(revision))).status).toBe(401);
    });

    it('a rebuild at an API process answers, and lists go on to be right', async () => {
      const before = await groupsOf(there.admin);
      const rebuilt = await there.admin.post('/organization/reindex');
      expect(rebuilt.status).toBe(200);
      const revision = await create(org.admin, 'After the rebuild');
      const shown = await groupsOf(there.admin, at(revision));
      expect(shown).toEqual([...before, 'After the rebuild']);
    });

    it('any process tells how far a rebuild is', async () => {
      const { data } = await org.admin.post('/organization/reindex', { async: true });
      expect(data.state).toBe('RUNNING');
      const told = async (client: Client) =>
        (await client.get(`/organization/reindex/${data.job_id}`)).data;
      while ((await told(there.admin)).state === 'RUNNING');
      expect(await told(there.admin)).toMatchObject({ state: 'DONE', percent: 100, error: null });
      expect(await told(org.admin)).toEqual(await told(there.admin));
    });

    it('a call joins the rebuild of another process', async () => {
      const { rebuilds } = one.stores.side.jobs;
      const running = rebuildOf(org.drive_id, Date.now());
      await rebuilds.begin(running, NONE);
      const joined = await there.admin.post('/organization/reindex', { async: true });
      expect(joined.data).toMatchObject({ job_id: running.job_id, state: 'RUNNING', percent: 69 });
      const begun = jest.spyOn(other.stores.side.jobs.rebuilds, 'begin');
      const waiting = there.admin.post('/organization/reindex');
      await eventually(() => begun.mock.results.length === 1);
      await begun.mock.results[0]!.value;
      begun.mockRestore();
      await rebuilds.note({ ...running, events_folded: 10, finished_ms: Date.now(), revision: 12 });
      const { data, headers } = await waiting;
      expect(data).toMatchObject({ job_id: running.job_id, revision: 9, indexed_count: 5 });
      expect(headers.get('drive-revision')).toBe('12');
    });

    it('a rebuild whose process has ended is told as failed, and the next call begins another', async () => {
      const { rebuilds } = one.stores.side.jobs;
      const left = rebuildOf(org.drive_id, Date.now() - 30_001);
      await rebuilds.begin(left, NONE);
      const { data } = await there.admin.get(`/organization/reindex/${left.job_id}`);
      expect(data).toMatchObject({ state: 'FAILED', finished_ms: left.heard_ms });
      expect(data.error).toContain('The process of the rebuild has ended');
      const next = await there.admin.post('/organization/reindex');
      expect(next.status).toBe(200);
      expect(next.data.job_id).not.toBe(left.job_id);
    });

    it('verification holds documents against the fold while others write', async () => {
      const writing = (async () => {
        for (let n = 0; n < 20; n++) await create(org.admin, `Meanwhile ${n}`);
      })();
      const { data } = await there.admin.post('/organization/verify');
      await writing;
      expect(data).toMatchObject({ valid: true, drift_documents: 0 });
    });

    it('history and replay are the same at both', async () => {
      // Either may lag behind the other; both come to what the writer was told last.
      const last = await create(org.admin, 'Last');
      const ask = async (client: Client) => {
        const history = await client.post('/organization/history', { page_size: 1 }, at(last));
        const replay = await client.post('/organization/replay', {}, at(last));
        return [history.data.items[0].revision, history.data.total, replay.data.state_hash];
      };
      expect(await ask(there.admin)).toEqual(await ask(org.admin));
    });

    it('a worker that ends hands over, and the next brings up what was written meanwhile', async () => {
      await stop(workers[0]!);
      await create(org.admin, 'While nobody worked');
      const next = await work();
      expect(await groupsOf(org.admin)).toContain('While nobody worked');
      const answer = await fetch(`${next.url}/ready`);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ ready: true, quarantined: [], stuck: false });
      const metrics = await (await fetch(`${next.url}/metrics`)).text();
      expect(metrics).toContain('drive_workspace_worker_partitions_held 4');
      expect(await (await fetch(`${next.url}/health`)).json()).toEqual({ message: 'OK' });
    });
  },
);

/** A rebuild as a process that runs it has told. */
function rebuildOf(drive_id: string, heard_ms: number): Rebuild {
  return {
    ...{ drive_id, job_id: `ReindexJobID_${heard_ms}`, started_ms: heard_ms, heard_ms },
    ...{ events_folded: 7, events_total: 10, documents_written: 5 },
    ...{ finished_ms: null, revision: null, error: null },
  };
}
