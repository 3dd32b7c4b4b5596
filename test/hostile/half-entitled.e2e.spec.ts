import { isInTrash } from '../../libs/domain/relations/directory-tree.js';
import { Sweeps } from '../../libs/application/sweeps.js';
import type { Answer, Organization } from '../support/client.js';
import { Random } from '../../apps/demo/random.js';
import { resolved } from '../support/openapi.js';
import { TestService } from '../support/service.js';
import { type Caller, callersOf } from './callers.js';
import { type HostileRequest, type OpenApi, RequestGenerator } from './requests.js';
import { World } from './world.js';

const SEED = Number(process.env.SPEC_SEED);
const ROUNDS = Number(process.env.HOSTILE_ROUNDS ?? 2);
const DAY_MS = 86_400_000;

/** What was told to somebody who may not know it. */
interface Finding {
  readonly caller: string;
  readonly request: string;
  readonly told: readonly string[];
}

describe(`callers who may only EDIT, or may no more (seed ${SEED})`, () => {
  let service: TestService;
  let org: Organization;
  let world: World;
  let callers: Caller[];
  let sent = 0;
  let succeeded = 0;
  const findings: Finding[] = [];
  /** Ids of everything that was there before and has not been missed yet. */
  const there = new Set<string>();
  const missed: { readonly caller: string; readonly id: string }[] = [];

  beforeAll(async () => {
    let clock = (): number => Date.now();
    service = await TestService.start(
      { EVERYONE_DISK_PERMISSIONS: '', HOST: '127.0.0.1' },
      { clock: () => clock() },
    );
    clock = () => world?.now_ms ?? 1_900_000_000_000;
    org = await service.organization();
    world = new World(org);
    await world.build();
    const grants = await org.admin.post('/permissions/system/list', { page_size: 100 });
    for (const { id, resource_id } of grants.data.items)
      if (resource_id === 'TABLE_DISKS')
        await org.admin.post('/permissions/system/delete', { permission_id: id });
    callers = await callersOf(world, org);
    world.now_ms += DAY_MS;
    const document = resolved(
      (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApi,
    );
    for (const id of existing()) there.add(id);
    const hearsay = {
      ids: [...world.ids.values()],
      words: world.words,
      paths: [`${world.disk.id}::/`, `${world.disk.id}::.trash/`],
      revisions: (await org.admin.get('/organization/digest')).data.revision,
    };
    for (const [nth, caller] of callers.entries()) {
      // Nobody names another caller, who would come by rights that are not looked for.
      const ids = [...hearsay.ids, caller.client.user_id];
      const generator = new RequestGenerator(document, { ...hearsay, ids }, new Random(SEED + nth));
      for (const request of generator.all(ROUNDS)) await ask(caller, request);
      look(caller);
    }
    // Whatever a caller has set to expire does so.
    world.now_ms += 100 * DAY_MS;
    await service.server.app.get(Sweeps).expired_items.sweep();
    look();
  });
  afterAll(() => service.stop());

  async function ask(
    caller: Caller,
    { method, path, body, headers }: HostileRequest,
  ): Promise<void> {
    sent++;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const failed = (error: Error): Finding => ({
      ...{ caller: caller.name, request: `${method} ${path} ${text ?? ''}` },
      told: [error.message],
    });
    const answer = await caller.client.send(method, path, text, headers).catch(failed);
    if ('told' in answer) return void findings.push(answer);
    if (answer.status === 200) succeeded++;
    const asked = `${path} ${text ?? ''}`;
    const told = [...toldBy(caller, answer, asked), ...foundBy(caller, answer, body)];
    if (answer.status === 500) told.push('a failure of the server');
    if (told.length > 0)
      findings.push({ caller: caller.name, request: `${method} ${asked}`, told });
  }

  /** Planted texts in any byte of an answer that its caller may not know and has not sent. */
  function toldBy(caller: Caller, { headers, body }: Answer, asked: string): string[] {
    const head = [...headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    const bytes = Buffer.from(`${head}\n\n${JSON.stringify(body)}`);
    const own = new Set(world.planted.foundIn(Buffer.from(asked)));
    return world.planted
      .foundIn(bytes)
      .filter((name) => !own.has(name) && !caller.knows.some((known) => name.startsWith(known)));
  }

  /** A hidden text that filters or searches find something by. */
  function foundBy(caller: Caller, { status, data }: Answer, body: unknown): string[] {
    const { filters, query } = (body ?? {}) as { filters?: unknown; query?: unknown };
    const needle = typeof filters === 'string' ? filters : query;
    if (status !== 200 || typeof needle !== 'string' || needle.length < 12) return [];
    const owners = world.ownersOf(needle);
    const hidden = owners.filter((name) => !caller.knows.some((known) => name.startsWith(known)));
    return hidden.length === owners.length && data?.total > 0
      ? hidden.map((name) => `found by ${name}`)
      : [];
  }

  /** Notes what has been removed or trashed since the last look. */
  function look({ name, may_delete }: Partial<Caller> = {}): void {
    const existing_now = new Set(existing());
    for (const id of [...there].filter((one) => !existing_now.has(one))) {
      there.delete(id);
      const is_allowed = may_delete !== undefined && id.startsWith(may_delete);
      if (!is_allowed) missed.push({ caller: name ?? 'the expiry sweep', id });
    }
  }

  /** Ids of the world's records that exist and do not lie in the trash. */
  function existing(): string[] {
    const { state } = service.server.drives.loaded(org.drive_id)!;
    const ids = new Set(state.tables.flatMap((table) => [...table.ids()]));
    return [...world.ids.values()].filter((id) => ids.has(id) && !isTrashed(id));
  }

  function isTrashed(id: string): boolean {
    const { state } = service.server.drives.loaded(org.drive_id)!;
    const item = state.files.get(id) ?? state.folders.get(id);
    return item !== undefined && isInTrash(state, item);
  }

  it('are 28, who asked every operation and were answered more than refusals', () => {
    expect(callers).toHaveLength(28);
    expect(sent).toBeGreaterThan(28 * 100 * ROUNDS);
    expect(succeeded).toBeGreaterThan(300);
  });

  it('are told no name, text, path or time of anything hidden', () => {
    expect(findings.slice(0, 20)).toEqual([]);
  });

  it('have removed nothing and trashed nothing', () => {
    expect(there.size).toBeGreaterThan(25);
    expect(missed).toEqual([]);
  });
});
