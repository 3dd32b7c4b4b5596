import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Tab, TestBrowser } from '../console/browser.js';
import { REPOSITORY } from '../docs/markdown.js';
import { describeWith } from '../support/needs.js';
import { TestService } from '../support/service.js';

/** What a page of another origin does; `facts` are the service's. The text stays as it is: it runs in the browser. */
const SCRIPT = `async (facts) => {
  const { connect, isDriveError } = await import('/index.js');
  // As in a page that was not loaded by HTTPS.
  Object.defineProperty(crypto, 'randomUUID', { value: undefined });
  const drive = connect(facts);
  const group = await drive.groups.create({ name: 'From a page' }, { audit_reason: 'Prüfung' });
  const feed = await drive.events({ from: drive.revision - 1 }).next();
  const names = [];
  for await (const { name } of drive.groups.list({ page_size: 1 })) names.push(name);
  const past = await drive.asOf({ revision: 0 }).groups.list();
  const error = await drive.groups.get('GroupID_none').catch((error) => error);
  const [disk] = (await drive.disks.list()).items;
  const { file } = await drive.directory.run('CREATE_FILE', {
    name: 'page.bin',
    parent_folder_uuid: disk.root_folder,
    disk_id: disk.id,
    file_size: 0,
  });
  const bytes = new Uint8Array(2500).fill(7);
  const sent = [];
  const options = { part_bytes: 1000, on_progress: (progress) => sent.push(progress.sent) };
  await drive.directory.upload(file.id, new Blob([bytes]).stream(), options);
  await drive.directory.upload(file.id, new Blob(['in one']), options);
  const text = await (await drive.directory.download(file.id)).text();
  const { items } = await drive.directory.versions({ file_id: file.id });
  return {
    names,
    heard: feed.value.resource_ids.includes(group.id),
    past: past.total,
    error: isDriveError(error, 'group.not-found'),
    sent,
    text,
    sizes: items.map(({ size }) => size),
  };
}`;

/** The compiled package, and a page that has nothing else. */
function serve(folder: string): Server {
  return createServer((request, response) => {
    const name = request.url!;
    if (!name.endsWith('.js')) {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Client</title>');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/javascript' });
    createReadStream(join(folder, name)).pipe(response);
  });
}

describeWith('chromium')('the client in a browser', () => {
  let service: TestService;
  let browser: TestBrowser;
  let folder: string;
  let pages: Server;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'client-browser-'));
    const tsc = join(REPOSITORY, 'node_modules/typescript/bin/tsc');
    const project = join(REPOSITORY, 'libs/client');
    await promisify(execFile)(process.execPath, [tsc, '-p', project, '--outDir', folder]);
    pages = serve(folder).listen(0, '127.0.0.1');
    await once(pages, 'listening');
    service = await TestService.start({ DEFAULT_DISK: 'Files' });
    browser = await TestBrowser.start();
  });

  afterAll(async () => {
    await browser?.stop();
    await service?.stop();
    pages?.closeAllConnections();
    pages?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('works from a page of another origin', async () => {
    const { drive_id, admin } = await service.organization();
    const { page }: Tab = await browser.tab();
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
    const facts = { url: service.url, drive_id, api_key: admin.token };
    const result = await page.evaluate(`(${SCRIPT})(${JSON.stringify(facts)})`);
    expect(result).toEqual({
      names: expect.arrayContaining(['From a page']),
      heard: true,
      past: 1,
      error: true,
      sent: [0, 1000, 2000, 2500, 0, 6],
      text: 'in one',
      sizes: [6, 2500],
    });
  });
});
