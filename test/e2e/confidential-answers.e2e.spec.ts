import { bytesOf } from '../support/answer-bytes.js';
import type { Answer } from '../support/client.js';
import { type Asker, type HiddenWorld, plantHidden } from '../support/hidden.js';
import { TestService } from '../support/service.js';

const FAR = 1000;

describe('answers to callers who may not see everything', () => {
  let service: TestService;
  let world: HiddenWorld;

  beforeAll(async () => {
    service = await TestService.start();
    world = await plantHidden(await service.organization('Bob'));
  });
  afterAll(() => service.stop());

  /** Names of planted texts that an answer holds and the asker may not be shown. */
  const foundIn = (answer: Answer, { may_see }: Asker): string[] =>
    world.planted.foundIn(bytesOf(answer)).filter((name) => !may_see.includes(name));

  const send = async (asker: Asker, path: string, body: object): Promise<Answer> => {
    const answer = await asker.client().post(path, body);
    // Nothing is shown by what was not understood.
    if (![200, 403, 404].includes(answer.status))
      throw new Error(`${path} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`);
    return answer;
  };

  /** Asks every question, with pages of one and of many, and gives what must not have been in the answers. */
  const leaks = async (
    asker: Asker,
    questions: readonly (readonly [string, object])[],
    page_sizes: readonly number[] = [1, FAR],
  ) => {
    const found: string[] = [];
    for (const [path, body] of questions)
      for (const page_size of page_sizes) {
        let cursor_down: string | undefined;
        for (let page = 0; page < 20; page++) {
          const asked = { ...body, page_size, ...(cursor_down && { cursor_down }) };
          const answer = await send(asker, path, asked);
          for (const name of foundIn(answer, asker))
            found.push(`${asker.name} ${path} ${JSON.stringify(asked)}: ${name}`);
          cursor_down = answer.data?.cursor_down;
          if (!cursor_down) break;
        }
      }
    return found;
  };

  const askers = ['viewer', 'revoked', 'uploader', 'member', 'clerk', 'editor', 'outsider'];
  const askerOf = (name: string): Asker => world.askers.find((one) => one.name === name)!;
  const resources = (): string[] => [
    ...Object.values(world.ids),
    world.disk.root_folder,
    'TABLE_LABELS',
  ];
  const items = (): string[] => resources().filter((id) => /^(?:Folder|File)ID_/.test(id));
  const folders = (): string[] => resources().filter((id) => id.startsWith('FolderID_'));
  /** Now, and just before and after rights were lost. */
  const past = (): readonly number[] => world.revisions.slice(0, 2);
  const points = (): object[] => [{}, ...past().map((revision) => ({ revision }))];
  const at = (path: string, bodies: readonly object[]) =>
    bodies.map((body) => [`/organization/${path}`, body] as const);

  it('hold each planted text where it may be seen', async () => {
    const seen = new Set<string>();
    const { admin } = world.org;
    const look = async (path: string, body: object): Promise<void> => {
      const answer = await admin.post(path, body);
      for (const name of world.planted.foundIn(bytesOf(answer))) seen.add(name);
    };
    await look('/organization/history', { page_size: FAR });
    await look('/organization/replay', { include: ['ALL'], page_size: FAR });
    const unseen = world.planted.entries.filter(([name]) => !seen.has(name));
    expect(unseen).toEqual([]);
    const viewer = askerOf('viewer');
    const body = { grantee_id: viewer.user_id };
    const reached = await send(viewer, '/organization/reach', body);
    expect(world.planted.foundIn(bytesOf(reached))).toEqual(['seen file new name']);
  });

  it.each(askers)('explain and who disclose nothing to the %s', async (name) => {
    const asker = askerOf(name);
    const bodies = resources().flatMap((resource_id) =>
      points().map((point) => ({ ...point, resource_id })),
    );
    expect(await leaks(asker, at('who', bodies), [FAR])).toEqual([]);
    for (const about of bodies) {
      const body = { ...about, grantee_id: asker.user_id };
      const answer = await send(asker, '/organization/explain', body);
      expect([body, foundIn(answer, asker)]).toEqual([body, []]);
    }
  });

  it.each(askers)('reach, timelines and differences disclose nothing to the %s', async (name) => {
    const asker = askerOf(name);
    const grantee_id = asker.user_id;
    const bodies = points().flatMap((point) =>
      [true, false].map((collapse) => ({ ...point, grantee_id, collapse })),
    );
    expect(await leaks(asker, at('reach', bodies))).toEqual([]);
    const changes = [0, ...past()].map((revision) => ({ from: { revision }, grantee_id }));
    expect(await leaks(asker, at('access_diff', changes))).toEqual([]);
    const spans = past().flatMap((revision) => [
      ...resources().map((resource_id) => ({ from: { revision }, grantee_id, resource_id })),
      ...resources().map((resource_id) => ({ from: { revision }, resource_id })),
    ]);
    expect(await leaks(asker, at('access_diff', spans), [FAR])).toEqual([]);
    for (const resource_id of resources()) {
      const body = { grantee_id, resource_id };
      const answer = await send(asker, '/organization/access_timeline', body);
      expect([resource_id, foundIn(answer, asker)]).toEqual([resource_id, []]);
    }
  });

  it.each(askers)('history discloses nothing to the %s', async (name) => {
    const bodies = resources().flatMap((resource_id) => [{ resource_id }]);
    expect(await leaks(askerOf(name), at('history', bodies))).toEqual([]);
  });

  it.each(askers)(
    'reads of records, lists and searches disclose nothing to the %s',
    async (name) => {
      const asker = askerOf(name);
      const { ids, disk } = world;
      const lists: [string, object][] = [
        ...['contacts', 'disks', 'drives', 'groups', 'labels', 'webhooks', 'purchases'].map(
          (family): [string, object] => [`/${family}/list`, {}],
        ),
        [`/api_keys/list/${asker.user_id}`, {}],
        ['/groups/invites/list', { group_id: ids['group'] }],
        ...items().map((resource_id): [string, object] => [
          '/permissions/directory/list',
          { filters: { resource_id } },
        ]),
        ['/permissions/system/list', { filters: {} }],
        ['/organization/bookmarks/list', {}],
        ['/organization/replay', { include: ['ALL'] }],
        ['/organization/compare', { from: { revision: 0 } }],
        ...folders().map((folder_id): [string, object] => ['/directory/list', { folder_id }]),
        ['/directory/list', { disk_id: disk.id }],
        ...['RELEVANCE', 'ALPHABETICAL', 'UPDATED_AT'].flatMap((sort_by) =>
          ['FolderID_', 'FileID_~', disk.id].map((query): [string, object] => [
            '/organization/search',
            { query, sort_by },
          ]),
        ),
      ];
      expect(await leaks(asker, lists)).toEqual([]);
      const gets = resources().flatMap((id) =>
        [
          'contacts/get',
          'disks/get',
          'drives/get',
          'groups/get',
          'labels/get',
          'webhooks/get',
          'permissions/directory/get',
          'permissions/system/get',
        ].map((path) => `/${path}/${id}`),
      );
      const others = ['/organization/about', '/organization/whoami', '/organization/snapshot'];
      for (const path of [...gets, ...others]) {
        const answer = await asker.client().get(path);
        expect([path, foundIn(answer, asker)]).toEqual([path, []]);
      }
      for (const id of resources())
        for (const action of ['GET_FILE', 'GET_FOLDER']) {
          const actions = [{ action, payload: { id } }];
          const answer = await asker.client().post('/directory/action', { actions });
          expect([action, id, foundIn(answer, asker)]).toEqual([action, id, []]);
        }
    },
  );

  it.each(askers)(
    'searches and filters find for the %s nothing by what is hidden',
    async (name) => {
      const asker = askerOf(name);
      for (const [what, text] of world.planted.entries) {
        if (asker.may_see.includes(what)) continue;
        const asked = (path: string, body: object) => send(asker, path, { ...body, page_size: 1 });
        const answers = [
          await asked('/organization/search', { query: text }),
          await asked('/organization/search', { query: text, categories: ['METADATA'] }),
          await asked('/directory/list', { folder_id: world.disk.root_folder, filters: text }),
          await asked('/contacts/list', { filters: text }),
          await asked('/groups/list', { filters: text }),
          await asked('/labels/list', { filters: text }),
          await asked('/webhooks/list', { filters: text }),
        ];
        const found = answers.map(({ data }) => data?.total ?? data?.total_folders ?? 0);
        expect([what, ...found]).toEqual([what, ...answers.map(() => 0)]);
      }
    },
  );

  // Last, since they change what is there.
  it.each(askers)(
    'actions on items disclose nothing to the %s, whatever their outcome',
    async (name) => {
      const asker = askerOf(name);
      const { ids, disk } = world;
      const run = async (action: string, payload: object): Promise<void> => {
        const actions = [{ action, payload }];
        const dry_run: Record<string, string> = { 'Dry-Run': 'true' };
        for (const headers of [dry_run, {}]) {
          const client = asker.client();
          const answer = await client.post('/directory/action?envelope=ok', { actions }, headers);
          expect([action, payload, foundIn(answer, asker)]).toEqual([action, payload, []]);
        }
      };
      const folder = ids['inner folder']!;
      const made = { name: 'mine.txt', parent_folder_uuid: folder, disk_id: disk.id, file_size: 1 };
      await run('CREATE_FILE', made);
      await run('CREATE_FOLDER', { ...made, name: 'mine' });
      for (const id of items()) {
        const kind = id.startsWith('FileID_') ? 'FILE' : 'FOLDER';
        await run(`UPDATE_${kind}`, { id, notes: 'mine' });
        await run(`UPDATE_${kind}`, { id, name: 'mine.txt' });
        await run(`MOVE_${kind}`, { id, destination_folder_id: folder });
        await run(`COPY_${kind}`, { id, destination_folder_id: folder });
        if (asker.name === 'editor' && id !== ids['inner folder']) {
          await run(`DELETE_${kind}`, { id });
          await run('RESTORE_TRASH', { id });
        }
      }
    },
  );
});
