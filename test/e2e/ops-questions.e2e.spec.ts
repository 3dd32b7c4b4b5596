import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Organization } from '../support/client.js';
import { act, makeDisk, makeFile, makeFolder, type TestDisk } from '../support/directory.js';
import { ops, OpsProcess, type OpsRun } from '../support/ops.js';
import { buildServer } from '../support/processes.js';
import { TestService } from '../support/service.js';

/** Spring of 2024, in hours from the first event. */
const BEGIN_MS = Date.parse('2024-03-10T10:00:00Z');
const HOUR_MS = 3_600_000;

describe('questions on the command line', () => {
  let service: TestService;
  let org: Organization;
  let disk: TestDisk;
  let folder: string;
  let file_id: string;
  let now = BEGIN_MS;

  /** Goes on to an hour after the first event. */
  const at = (hours: number): void => void (now = BEGIN_MS + hours * HOUR_MS);
  const inStore = (...args: string[]): Promise<OpsRun> =>
    ops([...args], { DATA_DIR: service.data_dir });
  const onServer = (...args: string[]): Promise<OpsRun> => {
    const place = ['--drive', org.drive_id, '--url', service.url];
    return ops([...args, ...place], { DRIVE_TOKEN: org.admin.token! });
  };
  /** What a question says, which is the same from the server and from its store. */
  const says = async (...args: string[]): Promise<string[]> => {
    const [server, store] = [
      await onServer(...args),
      await inStore(...args, '--drive', 'Test Org'),
    ];
    expect([server.err, store.err]).toEqual(['', '']);
    // The present is another one, by the clock of each.
    const lines = [server, store].map(({ out }) =>
      out
        .replace(/(As of|to) revision .*/, '')
        .trimEnd()
        .split('\n'),
    );
    expect(lines[1]).toEqual(lines[0]);
    return server.out.trimEnd().split('\n');
  };
  const refusal = async (...args: string[]): Promise<string> => {
    const [server, store] = [
      await onServer(...args),
      await inStore(...args, '--drive', org.drive_id),
    ];
    expect([server.code, store.code, server.out, store.out]).toEqual([1, 1, '', '']);
    const now_of_each = /to 20\d\d-\S+ [\d:.]+Z;/;
    expect(store.err.replace(now_of_each, '')).toBe(server.err.replace(now_of_each, ''));
    return server.err.trimEnd();
  };

  beforeAll(async () => {
    service = await TestService.start({ EVERYONE_DISK_PERMISSIONS: '' }, { clock: () => now });
    org = await service.organization('Bob', 'Carol');
    const [bob] = org.members;
    const { admin } = org;
    await admin.post('/contacts/update', { id: admin.user_id, name: 'Ada' });
    disk = await makeDisk(org, { name: 'Main' });
    at(1);
    folder = (await makeFolder(admin, disk, 'Reports')).id;
    file_id = (await makeFile(admin, disk, 'year.pdf', { parent_folder_uuid: folder })).id;
    const { data: group } = await admin.post('/groups/create', { name: 'Finance' });
    await admin.post('/permissions/directory/create', {
      ...{
        resource_id: folder,
        granted_to: group.id,
        permission_types: ['VIEW'],
        inheritable: true,
      },
    });
    at(2);
    const { data: invite } = await admin.post('/groups/invites/create', {
      ...{ group_id: group.id, invitee_id: bob!.user_id, role: 'MEMBER' },
    });
    await admin.post('/organization/bookmarks', { name: 'member' });
    at(6);
    await admin.post('/groups/invites/delete', { id: invite.id });
    at(7);
  });
  afterAll(() => service.stop());

  it('explains in sentences, for now and for a point', async () => {
    const bobs = ['explain', '--who', 'Bob', '--resource', '/Reports/year.pdf'];
    expect((await says(...bobs)).slice(1)).toEqual([
      'Bob can do nothing with /Reports/year.pdf.',
      'These grants did not apply:',
      '  VIEW for the group Finance on /Reports, granted by Ada: they were not a member of that group',
    ]);
    const revision = /^As of revision \d+, 2024-03-10 12:00:00Z\.$/;
    for (const point of ['@member', '2024-03-10T12:00Z', '2024-03-10 13:00+01:00'])
      expect(await says(...bobs, '--at', point)).toEqual([
        expect.stringMatching(point === '@member' ? revision : /^As of revision \d+/),
        'Bob could VIEW /Reports/year.pdf.',
        '  VIEW: through the group Finance, invited by Ada, granted by Ada on /Reports',
      ]);
    const { out } = await onServer(...bobs, '--json', '--at', '@member');
    expect(JSON.parse(out)).toMatchObject({
      ...{ grantee_id: org.members[0]!.user_id, resource_id: file_id, permissions: ['VIEW'] },
    });
  });

  it('names everybody who holds something', async () => {
    const lines = await says('who', '--resource', '/Reports', '--at', '@member');
    expect(lines[1]).toBe('Users with access to /Reports:');
    const rows = lines.filter((line) => line.startsWith('│')).join('\n');
    expect(rows).toMatch(
      /│ Bob +│ VIEW +│ VIEW: through the group Finance, invited by Ada, granted by Ada +│/,
    );
    expect(rows).toMatch(/│ Ada +│ VIEW, UPLOAD, .* as the owner of the organization/);
    expect(rows).toMatch(/│ the group Finance +│ VIEW /);
    expect(lines.at(-1)).toBe('3 of 3');
  });

  it('shows when a user had which permission, by names that were deleted since', async () => {
    const [end, ...lines] = await says('timeline', '--who', 'bob', '--resource', 'Main:/Reports');
    expect(end).toMatch(/^Up to revision \d+\.$/);
    expect(lines).toEqual([
      expect.stringMatching(
        /^Bob could VIEW \/Reports from 2024-03-10 12:00:00Z \(r\d+\) to 2024-03-10 16:00:00Z \(r\d+\) through the group Finance, invited by Ada, granted by Ada\.$/,
      ),
    ]);
    expect((await says('timeline', '--who', 'Carol', '--resource', folder)).at(-1)).toBe(
      'Carol never had access to /Reports.',
    );
    expect((await says('timeline', '--who', 'Ada', '--resource', folder)).at(-1)).toMatch(
      /^Ada can UPLOAD, .* and MANAGE \/Reports since .* as the owner of the organization\.$/,
    );
  });

  it('shows which users gained and lost which permissions', async () => {
    const gained = await says('diff', '--from', '2024-03-10T11:30Z', '--to', '@member');
    expect(gained[0]).toMatch(/^From revision \d+ \(2024-03-10 11:30:00Z\) to revision \d+ \(/);
    expect(gained.slice(1)).toEqual([
      expect.stringMatching(
        /^Bob gained VIEW on \/Reports, and VIEW on what lies below \/Reports \(r\d+\)\.$/,
      ),
      '  VIEW: through the group Finance, invited by Ada, granted by Ada',
      '1 of 1',
    ]);
    const lost = await says('diff', '--from', '@member', '--who', 'Bob', '--resource', '/Reports');
    expect(lost[1]).toMatch(/^Bob lost VIEW on \/Reports/);
    expect(await says('diff', '--from', '@member', '--to', '@member')).toContain(
      'Nobody gained or lost anything.',
    );
  });

  it('shows what a user can reach', async () => {
    const lines = await says('reach', '--who', 'Bob', '--at', '@member', '--family', 'folders');
    expect(lines[1]).toBe('Resources that Bob can access:');
    const rows = lines.filter((line) => line.startsWith('│')).join('\n');
    expect(rows).toMatch(/│ \/Reports +│ VIEW +│ VIEW +│ VIEW: through the group Finance, /);
    const each = ['reach', '--who', 'Bob', '--at', '@member', '--family', 'files', '--each'];
    expect((await says(...each)).join('\n')).toContain('/Reports/year.pdf');
  });

  it('signs digests that verify accepts, and creates no key for it', async () => {
    const own = mkdtempSync(join(tmpdir(), 'ops-digest-'));
    const { out } = await inStore('digest', '--drive', 'Test Org', '--json');
    writeFileSync(join(own, 'digest.json'), out);
    const verified = await inStore('verify', '--drive', 'Test Org', join(own, 'digest.json'));
    expect(verified).toMatchObject({ code: 0, err: '' });
    expect(await says('digest')).toContainEqual(
      expect.stringMatching(`^signed with ${JSON.parse(out).public_key.replaceAll('+', '\\+')}`),
    );
    const key = join(service.data_dir, 'signing.key');
    renameSync(key, join(own, 'key'));
    expect(await inStore('digest', '--drive', 'Test Org')).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^There is no signing key: /),
    });
    const missing = await inStore('doctor');
    expect([missing.code, missing.out]).toEqual([
      0,
      expect.stringContaining('WARN signing.key is missing'),
    ]);
    expect(existsSync(key)).toBe(false);
    writeFileSync(key, 'cut');
    const cut = await inStore('doctor');
    expect([cut.code, cut.out]).toEqual([1, expect.stringMatching(/^BAD {2}.*signing\.key/m)]);
    renameSync(join(own, 'key'), key);
    rmSync(own, { recursive: true });
  });

  it('lists organizations by name, and takes a name that only one has', async () => {
    const make = (org_name: string) =>
      service.client().post('/v1/factory/quickstart', { org_name, admin: { name: 'Zoe' } });
    const twins = [await make('Twin'), await make('Twin')].map(
      ({ data }) => data.organization.drive_id as string,
    );
    const { organizations } = JSON.parse((await inStore('orgs', '--json')).out);
    expect(organizations.map(({ name }: any) => name)).toEqual(['Test Org', 'Twin', 'Twin']);
    expect(organizations[0]).toMatchObject({
      ...{ id: org.drive_id, owner_name: 'Ada', last_event_ms: BEGIN_MS + 6 * HOUR_MS },
    });
    expect((await inStore('orgs')).out).toMatch(
      /│ Test Org +│ DriveID_\S+ +│ \d+ +│ 2024-03-10 16:00:00Z +│ Ada +│/,
    );
    const twin = await inStore('replay', '--drive', 'twin');
    expect([twin.code, twin.err]).toEqual([
      1,
      expect.stringMatching(/^--drive twin is not unique; give one of DriveID_/),
    ]);
    for (const id of twins) expect(twin.err).toContain(id);
    expect(await inStore('verify', '--drive', 'Nobody’s')).toMatchObject({
      code: 1,
      err: '--drive Nobody’s is not an organization here; `ops orgs` lists them.\n',
    });
    const on_server = ['replay', '--drive', 'Test Org', '--url', service.url];
    expect((await ops(on_server, { DRIVE_TOKEN: 't' })).err).toMatch(
      /^With --url, --drive must be/,
    );
  });

  it('says what is wrong with a point, and what is allowed', async () => {
    for (const option of [
      ['replay', '--at'],
      ['digest', '--at'],
      ['who', '--resource', 'TABLE_DISKS', '--at'],
      ['diff', '--from'],
      ['compare', '--from', 'r0', '--to'],
    ]) {
      const flag = option.at(-1)!;
      expect(await refusal(...option, '@nothing')).toBe(
        `${flag} @nothing names no bookmark; there are @member.`,
      );
      expect(await refusal(...option, 'r9999')).toMatch(
        new RegExp(`^${flag} r9999 must be from r0 to r\\d+\\.$`),
      );
      expect(await refusal(...option, '2024-03-09')).toMatch(
        new RegExp(
          `^${flag} 2024-03-09 must be from 2024-03-10 10:00:00Z to \\S+ \\S+Z; r0 is the first event\\.$`,
        ),
      );
      expect(await refusal(...option, '2999-01-01')).toBe(
        `${flag} 2999-01-01 must not be in the future.`,
      );
      for (const nonsense of ['yesterday', '2024-02-30', '2024-3-1', '@No_Name', '12:00', 'r-1']) {
        const { code, err } = await inStore(...option, nonsense, '--drive', org.drive_id);
        expect([nonsense, code, err]).toEqual([nonsense, 2, expect.stringContaining(flag)]);
        expect(err).toContain('give a date (2026-11-22');
      }
    }
  });

  it('takes points of every form in history', async () => {
    const head = Number(/revision (\d+)/.exec((await says('digest'))[0]!)![1]);
    const revisions = async (...args: string[]): Promise<number[]> => {
      const { out } = await onServer('history', '--json', '--oldest-first', ...args);
      return JSON.parse(out).items.map(({ revision }: any) => revision);
    };
    expect(await revisions('--from', `r${head - 1}`)).toEqual([head - 1, head]);
    expect(await revisions('--from', `r${head - 2}`, '--to', `r${head - 1}`)).toEqual([
      head - 2,
      head - 1,
    ]);
    expect(await revisions('--from', '@member')).toEqual([head - 2, head - 1, head]);
    expect(await revisions('--from', '2024-03-10T16:00Z')).toEqual([head]);
    expect(await revisions('--to', '2024-03-10Z', '--limit', '100')).toHaveLength(head + 1);
    expect(await refusal('history', '--from', 'r9999')).toMatch(/^--from r9999 must be from r0 to/);
    expect(await refusal('history', '--from', '@nothing')).toMatch(/^--from @nothing names no/);
    expect(await refusal('history', '--from', 'r10', '--to', 'r5')).toBe(
      '--to r5 must not be before --from.',
    );
    const [from, to] = ['2024-03-10T16:00Z', '2024-03-10T12:00Z'];
    expect(await refusal('history', '--from', from, '--to', to)).toBe(
      `--to ${to} must not be before --from.`,
    );
  });

  describe('as a process', () => {
    beforeAll(() => buildServer());

    it('takes a date for its end, in the zone of the machine or in UTC', async () => {
      const permissions = async (TZ: string, point: string): Promise<string[]> => {
        const asked = [
          'explain',
          '--who',
          'Bob',
          '--resource',
          '/Reports',
          '--at',
          point,
          '--json',
        ];
        const run = new OpsProcess([...asked, '--drive', 'Test Org'], {
          ...{ TZ, DATA_DIR: service.data_dir },
        });
        await run.ended;
        return JSON.parse(run.out).permissions;
      };
      // Bob was a member from 12:00Z to 16:00Z, and it was midnight in Tokyo at 15:00Z.
      expect(await permissions('Asia/Tokyo', '2024-03-10')).toEqual(['VIEW']);
      expect(await permissions('Asia/Tokyo', '2024-03-10Z')).toEqual([]);
      expect(await permissions('UTC', '2024-03-10')).toEqual([]);
      expect(await permissions('Asia/Tokyo', '2024-03-10T22:00')).toEqual(['VIEW']);
      expect(await permissions('UTC', '2024-03-10T22:00')).toEqual([]);
    });

    it('ends quietly if nobody reads its answer', async () => {
      const asked = ['history', '--all', '--json', '--drive', 'Test Org'];
      const run = new OpsProcess(asked, { DATA_DIR: service.data_dir });
      run.stopReading();
      expect([await run.ended, run.err]).toEqual([{ code: 0, signal: null }, '']);
    });

    it('says in one line that its answer cannot be written', async () => {
      const full = openSync('/dev/full', 'w');
      const asked = ['history', '--drive', 'Test Org'];
      const run = new OpsProcess(asked, { DATA_DIR: service.data_dir }, full);
      closeSync(full);
      expect([await run.ended, run.err]).toEqual([
        { code: 1, signal: null },
        'The output cannot be written: ENOSPC: no space left on device, write.\n',
      ]);
    });
  });

  it('says that a name or a path does not exist', async () => {
    expect(await refusal('explain', '--who', 'Bobb', '--resource', folder)).toBe(
      '--who Bobb is neither an id nor the name of a user or a group at this point.',
    );
    expect(await refusal('who', '--resource', '/Reports/none')).toBe(
      '--resource /Reports/none names no folder or file at this point.',
    );
    expect(await refusal('who', '--resource', 'Other:/Reports')).toMatch(
      /^--resource Other:\/Reports names no disk at this point/,
    );
    expect(await refusal('who', '--resource', 'Nothing')).toMatch(/^--resource Nothing is neither/);
  });

  it('says of an id that it never existed, or when it did', async () => {
    for (const [option, ...rest] of [
      ['--who', 'explain', '--resource', folder],
      ['--who', 'timeline', '--resource', folder],
      ['--who', 'reach'],
      ['--who', 'diff', '--from', 'r0'],
      ['--actor', 'history'],
    ])
      expect(await refusal(...rest, option!, 'UserID_nope')).toBe(
        `${option} UserID_nope never existed here.`,
      );
    for (const rest of [
      ['who'],
      ['explain', '--who', 'Bob'],
      ['timeline', '--who', 'Bob'],
      ['history'],
    ])
      expect(await refusal(...rest, '--resource', 'FolderID_nope')).toBe(
        '--resource FolderID_nope never existed here.',
      );
    expect(await says('who', '--resource', folder, '--at', 'r0')).toContain(
      'The resource does not exist at this point: it exists since 2024-03-10 11:00:00Z.',
    );
  });

  it('escapes names with control characters, direction controls or line breaks', async () => {
    const name = 'Eve\u001b[2J\u202E\nAda can VIEW /';
    const { data } = await org.admin.post('/contacts/create', { id: 'UserID_eve', name });
    expect(data.name).toBe(name);
    const [, sentence] = await says('explain', '--who', 'UserID_eve', '--resource', folder);
    expect(sentence).toBe('Eve\uFFFD[2J\uFFFD\uFFFDAda can VIEW / can do nothing with /Reports.');
    const { out } = await onServer('history', '--limit', '1');
    expect(out).not.toContain('\u001b');
    expect(out).not.toContain('\u202E');
  });

  it('finds a file by its path, however many others have its name within theirs', async () => {
    const place = { parent_folder_uuid: disk.root_folder, disk_id: disk.id, file_size: 1 };
    const names = Array.from({ length: 1_000 }, (_, nth) => `a b${nth}`);
    for (const name of [...names, 'b']) await act(org.admin, 'CREATE_FILE', { name, ...place });
    const [, sentence] = await says('explain', '--who', 'Bob', '--resource', '/b');
    expect(sentence).toBe('Bob can do nothing with /b.');
  });

  it('answers without names to callers who may not see them', async () => {
    const [bob] = org.members;
    const asked = ['explain', '--who', bob!.user_id, '--resource', folder];
    const place = ['--drive', org.drive_id, '--url', service.url];
    const { code, out } = await ops([...asked, ...place], { DRIVE_TOKEN: bob!.token! });
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(`${bob!.user_id} can do nothing with`),
    ]);
  });
});
