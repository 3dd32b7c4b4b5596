import type { Answer, Client, Organization } from '../../support/client.js';
import type { Signer } from '../../support/signer.js';
import { ownerCredential } from './generate.js';
import { expectedOf, identityOf, type Request, signedIn } from './model.js';
import { lookAtDirectory, getItems } from './views/directory.js';
import type { Look, Viewer } from './views/look.js';
import { getPeople, lookAtOrganization, lookAtPeople } from './views/people.js';
import { check, checkOwn, getGrants, lookAtGrants, resourcesOf } from './views/permissions.js';
import { getTables, lookAtTables } from './views/tables.js';
import { type Id, spawned, type Unnamed, type World } from './world.js';
import { Random } from '../../bench/harness/random.js';

/** The service did not do what the contract says. */
export class Difference extends Error {}

export interface Clock {
  now: number;
}

const CHECKS_PER_VIEWER = 12;
const LOOKS_AT_ONCE = 8;
const ID = /\b[A-Za-z]+ID_[A-Za-z0-9_-]+|\bslug\d+\b/g;

/** One organization and its model, given the same requests. */
export class Play {
  readonly world: World;
  /** Tokens of keys, and redeem codes, by the id of their record. */
  private readonly tokens = new Map<Id, string>();
  private readonly codes = new Map<Id, string>();
  /** Grants on deleted records that the service keeps. */
  private readonly kept = new Set<Id>();
  accepted = 0;
  refused = 0;

  constructor(
    private readonly org: Organization,
    private readonly signers: readonly Signer[],
    private readonly clock: Clock,
  ) {
    this.world = spawned('DriveID_own', org.admin.user_id, clock.now);
    this.world.name('DriveID_own', org.drive_id);
    this.tokens.set('ApiKeyID_admin', org.admin.token!);
  }

  /** Finds the ids of what the organization has from the start. */
  async begin(): Promise<void> {
    const { world } = this;
    const owner = this.owner();
    const groups = await owner.post('/groups/list');
    const [group] = groups.data.items;
    world.name('GroupID_all', group.id);
    world.name('GroupInviteID_all', group.admin_invites[0]);
    const { data } = await owner.post('/permissions/system/list');
    world.name('SystemPermissionID_all', data.items[0].id);
    const keys = await owner.post(`/api_keys/list/${world.owner}`);
    world.name('ApiKeyID_admin', keys.data[0].id);
  }

  /** Sends a request and holds its status against that of the model. */
  async step(request: Request): Promise<void> {
    const { world, clock } = this;
    if (request.path === 'clock') {
      clock.now += request.body.ms;
      return;
    }
    clock.now += 1000;
    signedIn(world, request.credential);
    const { statuses, effect } = expectedOf(world, request, clock.now);
    const { status, data, message } = await this.send(request);
    if (!statuses.includes(status))
      throw new Difference(
        `${show(request)}\n  expected ${statuses.join(' or ')}, got ${status} ${message}`,
      );
    if (status !== 200) {
      this.refused++;
      return;
    }
    this.accepted++;
    effect!(data);
    await this.learn(request, data);
    await this.nameRecords();
    await this.followGrants();
    await this.learnCodes();
  }

  /** A dry run has to have the status of the call itself. */
  private async send({ credential, path, body, via }: Request): Promise<Outcome> {
    const client = this.client(credential);
    const real = this.real(body);
    if (via === 'transaction') {
      const answer = await client.post('/transaction', { commands: [{ path, body: real }] });
      return { ...outcomeOf(answer), data: answer.data?.results[0] };
    }
    if (via !== 'dry run') return outcomeOf(await client.post(`/${path}`, real));
    const dry = outcomeOf(await client.post(`/${path}`, real, { 'Dry-Run': 'true' }));
    const outcome = outcomeOf(await this.client(credential).post(`/${path}`, real));
    if (outcome.status !== dry.status)
      outcome.message += `; the dry run was answered ${dry.status} ${dry.message}`;
    return outcome.status === dry.status ? outcome : { ...outcome, status: -1 };
  }

  /** Holds what everybody sees against the model; with `all`, each record too. */
  async compare(all: boolean, seed: number): Promise<void> {
    const { world } = this;
    const { now } = this.clock;
    const random = new Random(seed);
    const differences: string[] = [];
    for (const credential of this.viewers()) {
      const viewer: Viewer = { world, user: identityOf(world, credential, now)!, now };
      const looks = [...looksOf(viewer), ...this.checks(viewer, random)];
      if (all) looks.push(...getsOf(viewer, this.users()));
      const client = this.client(credential);
      for (let at = 0; at < looks.length; at += LOOKS_AT_ONCE) {
        const some = looks.slice(at, at + LOOKS_AT_ONCE);
        const lines = await Promise.all(some.map((look) => this.look(client, credential, look)));
        differences.push(...lines.flat());
      }
    }
    if (differences.length > 0) throw new Difference(differences.slice(0, 12).join('\n'));
  }

  private async look(client: Client, credential: string, look: Look): Promise<string[]> {
    const path = `/${this.realText(look.path)}`;
    const answer =
      look.method === 'GET'
        ? await client.get(path)
        : await client.post(path, this.real(look.body ?? {}));
    const where = `${credential} ${look.path} ${JSON.stringify(look.body ?? {})}`;
    const { status } = answer;
    if (!look.statuses.includes(status))
      return [`${where}: expected ${look.statuses.join(' or ')}, got ${status}`];
    if (status !== 200) return [];
    const lines = look.differences?.(this.model(answer.data)) ?? [];
    return lines.map((line) => `${where}: ${line}`);
  }

  /** Some checks of random grantees and resources. */
  private checks(viewer: Viewer, random: Random): Look[] {
    const { world } = this;
    const resources = resourcesOf(world);
    const grantees = [...this.users(), ...world.groups.keys(), 'PUBLIC'];
    for (const { granted_to } of [...world.system.values(), ...world.directory.values()])
      if (granted_to.startsWith('Placeholder')) grantees.push(granted_to);
    const some = Array.from({ length: CHECKS_PER_VIEWER }, () => {
      const grantee = random.next() < 0.3 ? viewer.user : random.pick(grantees);
      return check(viewer, grantee, random.pick(resources));
    });
    return [...some, checkOwn(viewer, resources)];
  }

  private users(): Id[] {
    return [this.org.admin.user_id, ...this.signers.map(({ user_id }) => user_id)];
  }

  /** Everybody; but not by a signature that would end the redeem code of its contact. */
  private viewers(): string[] {
    const { world } = this;
    const { now } = this.clock;
    const admin = [...world.keys.values()].find(
      ({ id, user_id }) =>
        user_id === this.org.admin.user_id && identityOf(world, `key:${id}`, now) !== null,
    );
    const signers = this.signers.filter(({ user_id }) => {
      const contact = world.contacts.get(user_id);
      return !contact?.has_code || contact.is_placeholder;
    });
    return [
      ...(admin ? [`key:${admin.id}`] : []),
      ...signers.map(({ user_id }) => `sig:${user_id}`),
    ];
  }

  private owner(): Client {
    return this.client(ownerCredential(this.world, this.clock.now));
  }

  private client(credential: string): Client {
    const id = credential.slice(4);
    if (credential.startsWith('key:')) return this.org.as(this.tokens.get(id) ?? UNKNOWN_KEY);
    const signer = this.signers.find(({ user_id }) => user_id === id);
    return signer ? signer.in(this.org, this.clock.now) : this.org.as();
  }

  private async learn({ path, body, n }: Request, data: any): Promise<void> {
    if (path === 'api_keys/create') this.tokens.set(body.id, data.value);
    if (path === 'contacts/redeem') this.tokens.set(`ApiKeyID_redeem${n}`, data.api_key);
    if (path === 'contacts/create' || body.granted_to !== undefined) this.codes.delete(body.id);
    const { action, payload } = body.actions?.[0] ?? {};
    if (action === 'RESTORE_TRASH') await this.learnName(payload.id);
  }

  /** A restored item may have another name than before. */
  private async learnName(id: Id): Promise<void> {
    const item = this.world.items.get(id)!;
    const actions = [{ action: `GET_${item.kind}`, payload: { id } }];
    const answer = await this.owner().post('/directory/action', this.real({ actions }));
    const { file, folder } = answer.body[0].response.result;
    item.name = (file ?? folder).name;
  }

  /** Asks, as the owner, for the ids of records that the service made beside the one asked for. */
  private async nameRecords(): Promise<void> {
    for (const record of this.world.unnamed.splice(0)) {
      const found = (await this.candidates(record)).filter(({ id }) => id === this.model(id));
      const unknown = found.filter(({ id }) => !this.known(id));
      if (unknown.length !== 1)
        throw new Difference(
          `${JSON.stringify(record)}: expected one such record, got ${unknown.length}`,
        );
      this.world.name(record.id, unknown[0]!.id);
    }
  }

  /**
   * The contract says of system grants on contacts, groups, invites and disks that they go with the record, of those on
   * records of other families nothing: there the model follows the service.
   */
  private async followGrants(): Promise<void> {
    const { system } = this.world;
    const orphan = [...system.values()].find(({ id, resource_id }) => {
      const family = this.familyOf(resource_id);
      return family && !family.has(resource_id) && !this.kept.has(id);
    });
    if (!orphan) return;
    const { status } = await this.owner().get(`/permissions/system/get/${orphan.id}`);
    if (status === 404) system.delete(orphan.id);
    else this.kept.add(orphan.id);
    // A grant on this grant is one on a deleted record too.
    await this.followGrants();
  }

  private familyOf(id: Id): ReadonlyMap<Id, unknown> | undefined {
    const { system, directory, labels, webhooks, purchases, drives } = this.world;
    const families = {
      SystemPermissionID_: system,
      DirectoryPermissionID_: directory,
      LabelID_: labels,
      WebhookID_: webhooks,
      PurchaseID_: purchases,
      DriveID_: drives,
    };
    return Object.entries(families).find(([prefix]) => id.startsWith(prefix))?.[1];
  }

  private known(id: Id): boolean {
    const { invites, directory, keys } = this.world;
    return invites.has(id) || directory.has(id) || keys.has(id);
  }

  private async candidates(record: Unnamed): Promise<{ id: Id }[]> {
    const owner = this.owner();
    const ask = async (path: string, body: object): Promise<any> =>
      (await owner.post(path, this.real({ page_size: 1000, ...body }))).data;
    if (record.kind === 'invite') {
      const { items } = await ask('/groups/invites/list', { group_id: record.group });
      return items.filter((item: any) => item.invitee_id === record.invitee);
    }
    if (record.kind === 'grant') {
      const filters = { resource_id: record.resource };
      const { items } = await ask('/permissions/directory/list', { filters });
      return items.filter((item: any) => this.model(item.granted_to) === record.grantee);
    }
    return ask(`/api_keys/list/${record.user}`, {});
  }

  /** Asks, as the owner, for the redeem codes of new records. */
  private async learnCodes(): Promise<void> {
    const { contacts, invites, system, directory } = this.world;
    const families = [
      ['contacts', contacts],
      ['groups/invites', invites],
      ['permissions/system', system],
      ['permissions/directory', directory],
    ] as const;
    for (const [path, table] of families)
      for (const { id, has_code } of table.values()) {
        if (!has_code || this.codes.has(id)) continue;
        const { data } = await this.owner().get(`/${path}/get/${this.realText(id)}`);
        if (!data?.redeem_code) throw new Difference(`${id}: the owner sees no redeem code`);
        this.codes.set(id, data.redeem_code);
      }
  }

  /** A body with the service's ids and codes. */
  private real(body: any): any {
    const code = body.redeem_code;
    const given = code?.startsWith('$code:') ? this.codes.get(code.slice(6)) : code;
    const redeem_code = given ?? 'RedeemTokenID_none';
    return JSON.parse(
      this.realText(JSON.stringify(code === undefined ? body : { ...body, redeem_code })),
    );
  }

  private realText(text: string): string {
    return text.replaceAll(ID, (id) => this.world.real_ids.get(id) ?? id);
  }

  /** An answer with the model's ids. */
  private model<T>(data: T): T {
    const ids = new Map([...this.world.real_ids].map(([id, real]) => [real, id]));
    const text = JSON.stringify(data ?? null);
    return JSON.parse(text.replaceAll(ID, (id) => ids.get(id) ?? id));
  }
}

interface Outcome {
  status: number;
  data: any;
  message: string;
}

const UNKNOWN_KEY = Buffer.from(
  JSON.stringify({ auth_type: 'API_KEY', value: '0'.repeat(64) }),
).toString('base64');

function looksOf(viewer: Viewer): Look[] {
  return [
    ...lookAtOrganization(viewer),
    ...lookAtPeople(viewer),
    ...lookAtGrants(viewer),
    ...lookAtDirectory(viewer),
    ...lookAtTables(viewer),
  ];
}

function getsOf(viewer: Viewer, users: readonly Id[]): Look[] {
  return [
    ...getPeople(viewer, users),
    ...getGrants(viewer),
    ...getItems(viewer),
    ...getTables(viewer),
  ];
}

/** Of an action its own outcome. */
function outcomeOf(answer: Answer): Outcome {
  const { status, data, err, body } = answer;
  if (!Array.isArray(body)) return { status, data, message: err?.message ?? '' };
  const { result, error } = body[0].response;
  return { status: error?.code ?? 200, data: result, message: error?.message ?? '' };
}

export function show({ n, credential, path, body, via }: Request): string {
  return `${n}. ${credential || 'no token'} ${path}${via ? ` (${via})` : ''} ${JSON.stringify(body)}`;
}
