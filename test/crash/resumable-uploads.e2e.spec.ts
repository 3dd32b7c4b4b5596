import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Organization } from '../support/client.js';
import { sha256Of } from '../support/content.js';
import { act, makeDisk, makeFile } from '../support/directory.js';
import { buildServer, ServiceProcess } from '../support/processes.js';
import { startTus } from '../support/tus.js';
import { organizations } from './load.js';

const MIB = 2 ** 20;
const A_WHILE_MS = 240_000;

describe('a resumable upload to a server process', () => {
  let data_dir: string;
  let server: ServiceProcess;

  beforeAll(() => buildServer(), A_WHILE_MS);
  beforeEach(async () => {
    data_dir = await mkdtemp(join(tmpdir(), 'drive-upload-'));
    server = await ServiceProcess.start('api', { DATA_DIR: data_dir });
  });
  afterEach(async () => {
    await server.kill('SIGKILL');
    await rm(data_dir, { recursive: true, force: true });
  });

  /** Kills the process and starts another one on the same folder. */
  async function restarted(org: Organization): Promise<Organization['admin']> {
    await server.kill('SIGKILL');
    server = await ServiceProcess.start('api', { DATA_DIR: data_dir });
    const base = `${server.url}/v1/drive/${org.drive_id}`;
    const { token, user_id } = org.admin;
    return Object.assign(Object.create(Object.getPrototypeOf(org.admin)), { base, token, user_id });
  }

  const path = (url: string) => new URL(url).pathname;

  it.each([
    ['in one request', Infinity],
    ['in chunks of 3 MiB', 3 * MIB],
  ])(
    'that was killed, sent %s, resumes behind the last 8 MiB and becomes one version',
    async (_, chunkSize) => {
      const [org] = (await organizations(server.url, 1)) as [Organization];
      const disk = await makeDisk(org);
      const { id } = await makeFile(org.admin, disk, 'a.bin');
      // So many that the process is killed on their way: the client reports its progress ten times a second.
      const bytes = randomBytes(64 * MIB);
      let sent = 0;
      const { upload, done } = startTus(org.admin, id, bytes, {
        chunkSize,
        onProgress(count) {
          sent = count;
          if (count > 20 * MIB) void server.kill('SIGKILL');
        },
      });
      await expect(done).rejects.toThrow('failed to upload chunk');
      const admin = await restarted(org);
      const offsets: number[] = [];
      await startTus(admin, id, bytes, {
        chunkSize,
        uploadUrl: server.url + path(upload.url!),
        onBeforeRequest(request) {
          const offset = request.getHeader('Upload-Offset');
          if (offset !== undefined) offsets.push(Number(offset));
        },
      }).done;
      // What the kernel had taken from the client need not have reached the server.
      expect(offsets[0]).toBeGreaterThan(0);
      expect(offsets[0]).toBeLessThanOrEqual(sent);
      const { result } = await act(admin, 'GET_FILE', { id });
      expect(result.file).toMatchObject({ sha256: sha256Of(bytes), file_version: 1 });
      const { data } = await admin.post('/directory/versions', { file_id: id });
      expect(data.total).toBe(1);
    },
  );

  it.each([0, 60, 400])(
    'killed %i ms after its last byte was sent becomes one version',
    async (after_ms) => {
      const [org] = (await organizations(server.url, 1)) as [Organization];
      const disk = await makeDisk(org);
      const { id } = await makeFile(org.admin, disk, 'b.bin');
      const bytes = randomBytes(12 * MIB);
      const { upload, done } = startTus(org.admin, id, bytes, {
        onProgress(count) {
          if (count === bytes.length) setTimeout(() => void server.kill('SIGKILL'), after_ms);
        },
      });
      await done.catch(() => {});
      const admin = await restarted(org);
      const uploadUrl = server.url + path(upload.url!);
      await startTus(admin, id, bytes, { uploadUrl }).done;
      await startTus(admin, id, bytes, { uploadUrl }).done;
      const { data } = await admin.post('/directory/versions', { file_id: id });
      expect(data.items).toMatchObject([{ sha256: sha256Of(bytes), is_current: true }]);
    },
  );
});
