import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS } from '../../apps/ops/commands/index.js';
import { programOf } from '../../apps/ops/program.js';
import type { Organization } from '../support/client.js';
import { ops } from '../support/ops.js';
import { TestService } from '../support/service.js';

describe('the command line', () => {
  let service: TestService;
  let org: Organization;
  let folder: string;
  let group_id: string;

  beforeAll(async () => {
    service = await TestService.start();
    org = await service.organization('Bob');
    folder = mkdtempSync(join(tmpdir(), 'ops-'));
    writeFileSync(join(folder, 'token'), `${org.admin.token}\n`);
    const reason = { 'audit-reason': 'Ticket 7' };
    ({
      data: { id: group_id },
    } = await org.admin.post('/groups/create', { name: 'Finance' }, reason));
    await org.admin.post('/organization/bookmarks', { name: 'made' });
    await org.admin.post('/groups/update', { id: group_id, name: 'Money' });
  });
  afterAll(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  /** The same command on the server and on the store that it writes to. */
  const both = async (...args: string[]): Promise<{ server: any; store: any }> => {
    const all = [...args, '--drive', org.drive_id];
    const token = ['--url', service.url, '--token-file', join(folder, 'token')];
    const server = await ops([...all, ...token]);
    const store = await ops(all, { DATA_DIR: service.data_dir });
    expect([server.err, store.err]).toEqual(['', '']);
    expect([server.code, store.code]).toEqual([0, 0]);
    return { server: server.out, store: store.out };
  };
  const json = async (...args: string[]): Promise<any> => {
    const { server, store } = await both(...args, '--json');
    const answers = [JSON.parse(server), JSON.parse(store)];
    // How an answer was reached may differ, what it says may not.
    for (const answer of answers)
      for (const name of ['duration_ms', 'events_folded', 'snapshot_revision', 'at_ms', 'to'])
        delete answer[name];
    expect(answers[1]).toEqual(answers[0]);
    return answers[0];
  };

  it('replays, on a server and on its store', async () => {
    const data = await json('replay', '--at', '@made', '--record', group_id, '--verify');
    expect(data).toMatchObject({
      verified: true,
      state: { groups: { items: [{ name: 'Finance' }] } },
    });
    const { server } = await both('replay');
    expect(server).toMatch(/state hash.*[0-9a-f]{64}/);
    expect(server).toMatch(/groups +│ 2/);
  });

  it('shows history, as tables and as JSON', async () => {
    const { items } = await json('history', '--resource', group_id, '--oldest-first');
    expect(items.map(({ type }: any) => type)).toEqual(['GroupCreated', 'GroupUpdated']);
    const { server, store } = await both('history', '--reason', 'ticket');
    expect(server).toContain('made the group Finance');
    expect(server).toContain('Ticket 7');
    expect(server).toContain('1 of 1');
    expect(store).toBe(server);
  });

  it('follows pages up to a limit, or all of them', async () => {
    const { data: now } = await org.admin.post('/organization/replay', { hash: false });
    expect((await json('history', '--limit', '2')).items).toHaveLength(2);
    expect((await json('history', '--all')).items).toHaveLength(now.revision + 1);
  });

  it('compares', async () => {
    const { server } = await both('compare', '--from', '@made', '--include', 'groups');
    expect(server).toContain('name: Finance → Money');
    const { items } = await json('compare', '--from', 'r0', '--to', '@made');
    expect(items.map(({ name }: any) => name)).toContain('Finance');
  });

  it('explains rights, and who has them', async () => {
    const [bob] = org.members;
    const rights = await json('explain', '--who', bob!.user_id, '--resource', 'TABLE_DISKS');
    expect(rights.permissions).toEqual(['VIEW']);
    const { server } = await both('explain', '--who', bob!.user_id, '--resource', group_id);
    expect(server).toContain('Bob can do nothing with the group Money.');
    const { server: holders } = await both('who', '--resource', 'TABLE_DISKS');
    expect(holders).toContain('VIEW');
  });

  it('changes nothing in the folder it reads', async () => {
    const files = () => readdirSync(service.data_dir).toSorted();
    const before = files();
    const { data } = await org.admin.post('/organization/replay', {});
    await ops(['history', '--drive', org.drive_id, '--data-dir', service.data_dir]);
    expect(files()).toEqual(before);
    expect((await org.admin.post('/organization/replay', {})).data.revision).toBe(data.revision);
  });

  it('ends with 1 where it is refused, and says why', async () => {
    const token = { DRIVE_TOKEN: org.members[0]!.token! };
    const asked = ['--drive', org.drive_id, '--url', service.url];
    const refused = await ops(['history', ...asked], token);
    expect(refused).toMatchObject({ code: 1, err: 'You are not allowed to do this.\n', out: '' });
    const late = ['replay', '--drive', org.drive_id, '--at', 'r999999'];
    const store = await ops(late, { DATA_DIR: service.data_dir });
    expect([store.code, store.err]).toEqual([
      1,
      expect.stringMatching(/^--at r999999 must be from r0 to r\d+\.\n$/),
    ]);
    const unknown = ['replay', '--drive', 'DriveID_unknown', '--data-dir', service.data_dir];
    expect((await ops(unknown)).code).toBe(1);
  });

  it.each([
    [['replay']],
    [['nonsense']],
    [['replay', '--drive', 'x', '--at', 'yesterday']],
    [['replay', '--drive', 'x', '--include', 'nonsense']],
    [['history', '--drive', 'x', '--limit', '0']],
    [['history', '--drive', 'x', '--from', 'monday']],
    [['compare', '--drive', 'x']],
    [['reach', '--drive', 'x', '--who', 'PUBLIC', '--type', 'FLY']],
    [['reach', '--drive', 'x', '--who', 'PUBLIC', '--family', 'disk']],
    [['who', '--drive', 'x', '--resource', 'TABLE_DISKS', '--type', 'FLY']],
    [['replay', '--drive', 'x', '--url', 'http://127.0.0.1:9']],
    [['replay', '--drive', 'x', '--url', 'http://127.0.0.1:9', '--token-file', '/none']],
    [['replay', '--drive', 'x', '--token', 'secret']],
  ])('ends with 2 for %j', async (args) => {
    const { code, err, out } = await ops(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).not.toBe('');
  });

  it('ends with 3 where nothing can be reached', async () => {
    const server = ['replay', '--drive', 'DriveID_x', '--url', 'http://127.0.0.1:9'];
    expect((await ops(server, { DRIVE_TOKEN: 't' })).code).toBe(3);
    const store = await ops(['replay', '--drive', 'x', '--data-dir', folder]);
    expect([store.code, store.err]).toEqual([3, expect.stringContaining('does not exist')]);
    expect(readdirSync(folder)).toEqual(['token']);
  });

  it('ends with 3 where the server cannot answer now', async () => {
    const limited = createServer((_, response) => {
      const err = { code: 429, type: 'rate.limited', message: 'Too many requests.' };
      response.writeHead(429).end(JSON.stringify({ err }));
    });
    await once(limited.listen(0, '127.0.0.1'), 'listening');
    const { port } = limited.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const { code, err } = await ops(['replay', '--drive', 'DriveID_x', '--url', url], {
      DRIVE_TOKEN: 't',
    });
    expect([code, err]).toEqual([3, 'Too many requests.\n']);
    limited.close();
  });

  it('never shows a token, also if there is more beside it', async () => {
    const text = `${org.admin.token}\n# key of the auditor\n`;
    const token_file = join(folder, 'token-and-more');
    writeFileSync(token_file, text);
    const server = ['replay', '--drive', org.drive_id, '--url', service.url];
    const from_file = await ops([...server, '--token-file', token_file]);
    const from_environment = await ops(server, { DRIVE_TOKEN: text });
    rmSync(token_file);
    for (const [run, source] of [
      [from_file, token_file],
      [from_environment, 'DRIVE_TOKEN'],
    ] as const)
      expect(run).toEqual({
        code: 2,
        out: '',
        err: `${source} must contain the token and nothing else.\n`,
      });
  });

  it('has no option that takes the arguments behind it', async () => {
    const terminal = { out: () => {}, err: () => {}, is_watched: false, env: {} };
    const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
    const options = programOf(commands, terminal).commands.flatMap((command) => command.options);
    expect(options.length).toBeGreaterThan(50);
    expect(options.filter(({ variadic }) => variadic)).toEqual([]);
    const types = ['--type', 'GroupCreated', '--type', 'GroupUpdated'];
    expect((await json('history', ...types, '--resource', group_id)).items).toHaveLength(2);
  });

  it('shows help with 0', async () => {
    const { code, out } = await ops(['--help']);
    expect(code).toBe(0);
    for (const name of [
      'orgs',
      'replay',
      'history',
      'explain',
      'who',
      'timeline',
      'diff',
      'reach',
      'digest',
    ])
      expect(out).toContain(name);
  });
});
