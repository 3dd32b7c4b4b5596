import { Choices } from './choices.js';
import { DIRECTORY_TYPES, SYSTEM_TYPES } from './evaluation.js';
import { TABLES } from './views/permissions.js';
import { NAME } from './views/tables.js';
import type { Id, World } from './world.js';

/** Random requests on contacts, groups and permissions. */
export class AccessRequests extends Choices {
  protected contact(world: World, n: number): [string, any] {
    const id = this.user(world);
    const is_placeholder = this.of([true, false, undefined]);
    return this.of<() => [string, any]>([
      () => [
        'contacts/create',
        { id, name: NAME, ...(is_placeholder !== undefined && { is_placeholder }) },
      ],
      () => ['contacts/create', { id: this.of(this.signers), name: NAME, is_placeholder: true }],
      () => [
        'contacts/update',
        {
          id,
          ...this.of([{ name: NAME }, { private_note: `note ${n}` }, { email: 'a@b.example' }]),
        },
      ],
      () => [this.random.next() < 0.2 ? 'contacts/erase' : 'contacts/delete', { id }],
    ])();
  }

  protected group(world: World, now: number, n: number): [string, any] {
    const id = this.idOf(world.groups, 'GroupID_none');
    const invite = this.idOf(world.invites, 'GroupInviteID_none');
    const role = this.of(['ADMIN', 'MEMBER', 'MEMBER']);
    const window = this.window(now, 'active_from', 'expires_at');
    const invitee_id = this.of([
      ...[1, 2, 3, 4, 5].map(() => this.user(world)),
      'PUBLIC',
      `PlaceholderGroupInviteeID_${n}`,
      `PlaceholderGroupInviteeID_${n}`,
    ]);
    const created = { id: `GroupInviteID_${n}`, group_id: id, invitee_id, role, ...window };
    const external_id = invitee_id === 'PUBLIC' ? null : created.id;
    return this.of<() => [string, any]>([
      () => ['groups/create', this.created(`GroupID_${n}`)],
      () => ['groups/update', { id, public_note: `note ${n}` }],
      () =>
        this.random.next() < 0.3
          ? ['groups/delete', { id }]
          : ['groups/validate', { group_id: id, user_id: this.user(world) }],
      () => ['groups/invites/create', { ...created, external_id }],
      () => ['groups/invites/create', { ...created, external_id }],
      () => ['groups/invites/create', { ...created, external_id }],
      () => [
        'groups/invites/update',
        { id: invite, ...this.some({ role, ...window, note: `note ${n}` }) },
      ],
      () => ['groups/invites/delete', { id: invite }],
    ])();
  }

  protected systemGrant(world: World, now: number, n: number): [string, any] {
    const id = this.idOf(world.system, 'SystemPermissionID_none');
    const records = [
      world.contacts,
      world.groups,
      world.disks,
      world.labels,
      world.webhooks,
      world.purchases,
      world.drives,
      world.system,
    ];
    const record = this.of(records.flatMap((table) => [...table.keys()]));
    const resource_id = this.random.next() < 0.6 ? this.of(TABLES) : record;
    return this.grant('system', world, now, n, id, resource_id, SYSTEM_TYPES);
  }

  protected directoryGrant(world: World, now: number, n: number): [string, any] {
    const id = this.idOf(world.directory, 'DirectoryPermissionID_none');
    const resource_id = this.idOf(world.items, 'FolderID_none');
    return this.grant('directory', world, now, n, id, resource_id, DIRECTORY_TYPES);
  }

  private grant(
    kind: 'system' | 'directory',
    world: World,
    now: number,
    n: number,
    id: Id,
    resource_id: Id,
    types: readonly string[],
  ): [string, any] {
    const base = `permissions/${kind}`;
    const granted_to = this.of([
      ...[1, 2, 3].map(() => this.user(world)),
      ...[1, 2].map(() => this.idOf(world.groups, 'GroupID_none')),
      'PUBLIC',
      `PlaceholderPermissionGranteeID_${n}`,
    ]);
    const permission_types = types.filter(() => this.random.next() < 0.45);
    if (permission_types.length === 0) permission_types.push(this.of(types));
    const window = this.window(now, 'begin_date_ms', 'expiry_date_ms');
    const inheritable = this.random.next() < 0.6;
    const metadata = this.of([
      undefined,
      undefined,
      { metadata_type: 'DIRECTORY_PASSWORD', content: { DirectoryPassword: 'x' } },
    ]);
    const own = kind === 'directory' ? { inheritable, metadata } : {};
    const changes = { permission_types, ...window, ...own };
    const moved = kind === 'system' ? this.some({ granted_to, resource_id }, 0.3) : {};
    const new_id = `${kind === 'system' ? 'System' : 'Directory'}PermissionID_${n}`;
    return this.of<() => [string, any]>([
      ...[1, 2, 3].map((): (() => [string, any]) => () => [
        `${base}/create`,
        { id: new_id, external_id: new_id, resource_id, granted_to, ...changes },
      ]),
      () => [`${base}/update`, { id, ...this.some({ ...changes, note: `note ${n}` }), ...moved }],
      () => [`${base}/update`, { id, ...this.some({ ...changes, note: `note ${n}` }), ...moved }],
      () => [`${base}/delete`, { permission_id: id }],
    ])();
  }

  protected redeem(world: World, user: Id): [string, any] {
    const codes = (table: ReadonlyMap<Id, { id: Id; has_code: boolean }>): Id[] => {
      const open = [...table.values()].filter(({ has_code }) => has_code).map(({ id }) => id);
      return open.length > 0 && this.random.next() < 0.9 ? open : [...table.keys(), 'none'];
    };
    const code = (id: Id): string =>
      this.random.next() < 0.9 ? `$code:${id}` : 'RedeemTokenID_wrong';
    const user_id = this.user(world);
    return this.of<() => [string, any]>([
      () => {
        const id = this.of(codes(world.contacts));
        const current_user_id = id === 'none' ? 'UserID_none' : id;
        const new_user_id = this.of([user, user, this.of(this.signers)]);
        return ['contacts/redeem', { current_user_id, new_user_id, redeem_code: code(id) }];
      },
      () => {
        const id = this.of(codes(world.invites));
        const invite_id = id === 'none' ? 'GroupInviteID_none' : id;
        const is_public = world.invites.get(id)?.invitee_id === 'PUBLIC';
        return [
          'groups/invites/redeem',
          { invite_id, redeem_code: is_public ? 'PUBLIC' : code(id) },
        ];
      },
      () =>
        this.redeemGrant('system', 'SystemPermissionID_none', codes(world.system), code, user_id),
      () =>
        this.redeemGrant(
          'directory',
          'DirectoryPermissionID_none',
          codes(world.directory),
          code,
          user_id,
        ),
    ])();
  }

  private redeemGrant(
    kind: string,
    none: Id,
    ids: readonly Id[],
    code: (id: Id) => string,
    user_id: Id,
  ): [string, any] {
    const id = this.of(ids);
    const permission_id = id === 'none' ? none : id;
    return [`permissions/${kind}/redeem`, { permission_id, user_id, redeem_code: code(id) }];
  }
}
