import type { Answer, Client } from '../support/client.js';
import type { Random } from '../../apps/demo/random.js';

/** Ids that the users of one organization know and act on. */
export class Known {
  readonly groups: string[] = [];
  readonly invites: { id: string; code: string | null }[] = [];
  readonly contacts: string[] = [];
  readonly disks: string[] = [];
  readonly folders: string[] = [];
  readonly directory_grants: { id: string; code: string | null }[] = [];
  readonly system_grants: { id: string; code: string | null }[] = [];
  readonly keys: string[] = [];
  readonly slugs: string[] = [];
}

const TABLES = ['DISKS', 'CONTACTS', 'GROUPS', 'API_KEYS', 'PERMISSIONS', 'DRIVES', 'INBOX'];
const SYSTEM_TYPES = ['CREATE', 'VIEW', 'EDIT', 'DELETE', 'INVITE'];
const DIRECTORY_TYPES = ['VIEW', 'UPLOAD', 'EDIT', 'DELETE', 'INVITE', 'MANAGE'];
const DISK_TYPES = ['BrowserCache', 'LOCAL_SSD', 'IcpCanister'];

/** One user who sends one random command after another, knowing what the others made. */
export class Worker {
  constructor(
    private readonly client: Client,
    private readonly known: Known,
    private readonly users: readonly string[],
    private readonly random: Random,
  ) {}

  /** Sends one command and remembers what it made. */
  async step(): Promise<Answer> {
    const act = this.random.pick(this.acts)!;
    return act();
  }

  private readonly acts: readonly (() => Promise<Answer>)[] = [
    () => this.make('/groups/create', this.texts(), (data) => this.known.groups.push(data.id)),
    () => this.client.post('/groups/update', { id: this.group(), ...this.texts() }),
    () => this.rarely('/groups/delete', () => ({ id: this.group() })),
    () =>
      this.make(
        '/groups/invites/create',
        {
          group_id: this.group(),
          invitee_id: this.random.pick([this.user(), null, 'PUBLIC']),
          role: this.random.chance(0.2) ? 'ADMIN' : 'MEMBER',
          ...this.window('active_from', 'expires_at'),
        },
        (data) => this.known.invites.push({ id: data.id, code: data.redeem_code }),
      ),
    () => this.client.post('/groups/invites/update', { id: this.invite().id, note: this.word() }),
    () => this.client.post('/groups/invites/delete', { id: this.invite().id }),
    () => {
      const { id, code } = this.invite();
      const body = { invite_id: id, redeem_code: code ?? 'PUBLIC', note: this.word() };
      return this.client.post('/groups/invites/redeem', body);
    },
    () =>
      this.make(
        '/contacts/create',
        {
          id: `UserID_${this.word()}-${this.random.below(1e9)}`,
          email: 'a@b.example',
          ...this.texts(),
        },
        (data) => this.known.contacts.push(data.id),
      ),
    () => this.client.post('/contacts/update', { id: this.contact(), name: this.word() }),
    () => this.rarely('/contacts/delete', () => ({ id: this.contact() })),
    () =>
      this.rarely('/organization/superswap_user', () => ({
        current_user_id: this.contact(),
        new_user_id: `UserID_swapped-${this.random.below(1e9)}`,
      })),
    () =>
      this.make(
        '/disks/create',
        { disk_type: this.random.pick(DISK_TYPES), auth_json: 'secret text', ...this.texts() },
        (data) => {
          this.known.disks.push(data.id);
          this.known.folders.push(data.root_folder, data.trash_folder);
        },
      ),
    () => this.client.post('/disks/update', { id: this.disk(), name: this.word() }),
    () => this.rarely('/disks/delete', () => ({ id: this.disk() })),
    () =>
      this.make(
        '/permissions/directory/create',
        {
          resource_id: this.random.pick(this.known.folders) ?? 'FolderID_none',
          granted_to: this.grantee(),
          permission_types: this.some(DIRECTORY_TYPES),
          inheritable: this.random.chance(0.5),
          ...this.window('begin_date_ms', 'expiry_date_ms'),
        },
        (data) => this.known.directory_grants.push({ id: data.id, code: data.redeem_code }),
      ),
    () =>
      this.make(
        '/permissions/system/create',
        {
          resource_id: this.random.chance(0.7) ? this.random.pick(TABLES) : this.group(),
          granted_to: this.grantee(),
          permission_types: this.some(SYSTEM_TYPES),
          ...this.window('begin_date_ms', 'expiry_date_ms'),
        },
        (data) => this.known.system_grants.push({ id: data.id, code: data.redeem_code }),
      ),
    () =>
      this.client.post('/permissions/directory/update', {
        id: this.grant('directory').id,
        permission_types: this.some(DIRECTORY_TYPES),
      }),
    () =>
      this.client.post('/permissions/system/update', {
        id: this.grant('system').id,
        permission_types: this.some(SYSTEM_TYPES),
      }),
    () => this.redeemGrant('directory'),
    () => this.redeemGrant('system'),
    () =>
      this.rarely('/permissions/directory/delete', () => ({
        permission_id: this.grant('directory').id,
      })),
    () =>
      this.rarely('/permissions/system/delete', () => ({
        permission_id: this.grant('system').id,
      })),
    () =>
      this.make('/api_keys/create', { name: this.word() }, (data) => this.known.keys.push(data.id)),
    () =>
      this.client.post('/api_keys/update', {
        id: this.random.pick(this.known.keys) ?? 'ApiKeyID_none',
        name: this.word(),
      }),
    () => {
      const id = this.random.pick(this.known.keys) ?? 'ApiKeyID_none';
      return this.client.post('/api_keys/delete', { id });
    },
    () =>
      this.make(
        '/organization/shortlink',
        { original_url: `https://example.com/${this.word()}` },
        (data) => this.known.slugs.push(data.slug),
      ),
    () => this.client.post('/organization/inbox', { topic: this.word(), payload: { n: 1 } }),
  ];

  private async make(
    path: string,
    body: object,
    remember: (data: any) => unknown,
  ): Promise<Answer> {
    const answer = await this.client.post(path, body);
    if (answer.status === 200) remember(answer.data);
    return answer;
  }

  /** Something that destroys much is done once in ten times; else a harmless update. */
  private rarely(path: string, body: () => object): Promise<Answer> {
    if (this.random.chance(0.1)) return this.client.post(path, body());
    return this.client.post('/groups/update', { id: this.group(), name: this.word() });
  }

  private redeemGrant(kind: 'directory' | 'system'): Promise<Answer> {
    const { id, code } = this.grant(kind);
    const body = { permission_id: id, user_id: this.user(), redeem_code: code ?? 'wrong' };
    return this.client.post(`/permissions/${kind}/redeem`, body);
  }

  private texts(): object {
    return { name: this.word(), public_note: this.word(), private_note: this.word() };
  }

  private word(): string {
    return `~w${this.random.below(1e6).toString(36)}`;
  }

  /** Mostly no window; else one that begins or ends within a few seconds of now. */
  private window(from: string, to: string): object {
    if (this.random.chance(0.7)) return {};
    const around = Date.now() + this.random.below(6000) - 3000;
    return this.random.chance(0.5) ? { [from]: around } : { [to]: around };
  }

  private some(types: readonly string[]): string[] {
    const chosen = types.filter(() => this.random.chance(0.4));
    return chosen.length > 0 ? chosen : ['VIEW'];
  }

  private grantee(): string | null {
    return this.random.pick([this.user(), this.group(), 'PUBLIC', null])!;
  }

  private user = (): string => this.random.pick(this.users)!;
  private group = (): string => this.random.pick(this.known.groups) ?? 'GroupID_none';
  private contact = (): string => this.random.pick(this.known.contacts) ?? 'UserID_none';
  private disk = (): string => this.random.pick(this.known.disks) ?? 'DiskID_none';
  private invite = (): { id: string; code: string | null } =>
    this.random.pick(this.known.invites) ?? { id: 'GroupInviteID_none', code: null };
  private grant = (kind: 'directory' | 'system'): { id: string; code: string | null } =>
    this.random.pick(
      kind === 'directory' ? this.known.directory_grants : this.known.system_grants,
    ) ?? {
      id: kind === 'directory' ? 'DirectoryPermissionID_none' : 'SystemPermissionID_none',
      code: null,
    };
}
