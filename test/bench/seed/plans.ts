import { SYSTEM_TYPES, type SystemType } from '../../../libs/domain/kernel/permission-types.js';
import { event, type DomainEvent } from '../../../libs/domain/foundation/events.js';
import { FOR_EVER } from '../../../libs/domain/permissions/testing/events.js';
import { sha256Hex } from '../../../libs/engine/proofs/hashing.js';
import { encodeToken } from '../../../libs/identity/token.js';
import { Random } from '../harness/random.js';

/** Somebody with an api key in a seeded drive. */
export interface SeededPerson {
  readonly user_id: string;
  readonly token: string;
  readonly digest: string;
  readonly api_key_id: string;
}

/** The drive of a seed, its owner and one member: the same for the same seed. */
export interface SeededDrive {
  readonly drive_id: string;
  readonly owner: SeededPerson;
  readonly member: SeededPerson;
  readonly everyone_group_id: string;
}

export function seededDrive(seed: number): SeededDrive {
  const random = new Random(seed);
  const person = (): SeededPerson => {
    const token = encodeToken({ auth_type: 'API_KEY', value: random.bytes(32).toString('hex') });
    return {
      user_id: `UserID_${random.uuid()}`,
      token,
      digest: sha256Hex(token),
      api_key_id: `ApiKeyID_${random.uuid()}`,
    };
  };
  return {
    drive_id: `DriveID_${random.uuid()}`,
    owner: person(),
    member: person(),
    everyone_group_id: `GroupID_${random.uuid()}`,
  };
}

/** Id of the n-th group that a plan makes: known without looking. */
export function groupId(n: number): string {
  return `GroupID_${new Random(n * 2 + 1).uuid()}`;
}

export function* beginning(drive: SeededDrive, random: Random): Generator<DomainEvent> {
  const { drive_id, owner, member, everyone_group_id } = drive;
  yield event('OrganizationSpawned', {
    drive_id,
    organization_name: 'Seeded',
    owner_id: owner.user_id,
    name: 'Olga Owner',
    subject_key_id: `subject-${random.uuid()}`,
    host_url: 'http://127.0.0.1',
    frontend_url: 'http://127.0.0.1',
    spawn_redeem_code: 'seeded-code',
    spawn_redeem_digest: sha256Hex('seeded-code'),
    spawn_note: 'Seeded',
    email: null,
    external_id: null,
    everyone_group_id,
    everyone_invite_id: `GroupInviteID_${random.uuid()}`,
    everyone_permission_id: `SystemPermissionID_${random.uuid()}`,
  });
  yield event('OrganizationActivated', {});
  yield event('ApiKeyCreated', {
    api_key_id: owner.api_key_id,
    user_id: owner.user_id,
    created_by: null,
    digest: owner.digest,
    last4: owner.token.slice(-4),
    subject_key_id: null,
    name: 'Seeded key',
    private_note: null,
    begins_at: 0,
    expires_at: -1,
    external_id: null,
    external_payload: null,
  });
  yield event('MemberJoined', {
    contact_id: member.user_id,
    subject_key_id: `subject-${random.uuid()}`,
    name: 'Max Member',
    everyone_invite_id: `GroupInviteID_${random.uuid()}`,
    api_key_id: member.api_key_id,
    api_key_digest: member.digest,
    api_key_last4: member.token.slice(-4),
  });
}

function groupCreated(drive: SeededDrive, random: Random, n: number): DomainEvent {
  return event('GroupCreated', {
    group_id: groupId(n),
    owner: drive.owner.user_id,
    admin_invite_id: `GroupInviteID_${random.uuid()}`,
    name: `${random.text(24)} ${n}`,
    avatar: '',
    public_note: random.text(60 + random.below(60)),
    private_note: '',
    host_url: 'http://127.0.0.1',
    external_id: `crm-${n}`,
    external_payload: null,
  });
}

/** Longest note of an update; with the rest, bodies come to about 476 bytes in the middle. */
const NOTE_CHARS = 700;

/** A drive of many groups; the member is in every `member_every`-th of them. */
export function* manyGroups(
  drive: SeededDrive,
  seed: number,
  { groups, member_every }: { groups: number; member_every: number },
): Generator<DomainEvent> {
  const random = new Random(seed);
  yield* beginning(drive, random);
  for (let n = 0; n < groups; n++) {
    yield groupCreated(drive, random, n);
    if (n % member_every === 0)
      yield inviteCreated(drive, random, groupId(n), drive.member.user_id);
  }
}

function inviteCreated(
  { owner }: SeededDrive,
  random: Random,
  group_id: string,
  invitee_id: string,
): DomainEvent & { type: 'GroupInviteCreated' } {
  return event('GroupInviteCreated', {
    invite_id: `GroupInviteID_${random.uuid()}`,
    group_id,
    inviter_id: owner.user_id,
    invitee_id,
    role: 'MEMBER',
    note: random.text(40 + random.below(80)),
    active_from: 0,
    expires_at: -1,
    external_id: null,
    external_payload: null,
    redeem_code: null,
    redeem_digest: '',
    from_placeholder_invitee: null,
  }) as DomainEvent & { type: 'GroupInviteCreated' };
}

interface Contact {
  readonly contact_id: string;
  readonly subject_key_id: string;
}

/**
 * A drive as after years of use: about `records` live records of all families, then changes to them
 * (a tenth of them groups that come and go) until the stream has `events` events.
 */
export class MixedDrive {
  private readonly random: Random;
  private readonly contacts: Contact[] = [];
  private readonly groups: string[] = [];
  private readonly passing_groups: string[] = [];
  private readonly invites: string[] = [];
  private readonly grants: string[] = [];
  private readonly disks: string[] = [];
  private made_groups = 0;

  constructor(
    private readonly drive: SeededDrive,
    seed: number,
  ) {
    this.random = new Random(seed);
  }

  *events({ records, events }: { records: number; events: number }): Generator<DomainEvent> {
    let made = 0;
    for (const one of this.beginning(records)) {
      yield one;
      made++;
    }
    for (; made < events; made++) yield this.change();
  }

  /** Makes the records, the families mixed. */
  private *beginning(records: number): Generator<DomainEvent> {
    yield* beginning(this.drive, this.random);
    // Of a hundred: 14 groups and 12 contacts (two records each), 24 grants, 12 invites, 2 disks
    // (four records each), 2 keys and 2 links.
    const builders = [
      ...Array<() => DomainEvent>(14).fill(() => this.group()),
      ...Array<() => DomainEvent>(12).fill(() => this.contact()),
      ...Array<() => DomainEvent>(24).fill(() => this.grant()),
      ...Array<() => DomainEvent>(12).fill(() => this.invite()),
      ...Array<() => DomainEvent>(2).fill(() => this.disk()),
      ...Array<() => DomainEvent>(2).fill(() => this.key()),
      ...Array<() => DomainEvent>(2).fill(() => this.link()),
    ];
    for (let hundred = 0; hundred < records / 100; hundred++)
      for (const build of builders) yield build();
  }

  private change(): DomainEvent {
    const dice = this.random.below(100);
    if (dice < 40) return this.changedGroup();
    if (dice < 60) return this.changedContact();
    if (dice < 70) return this.changedInvite();
    if (dice < 85) return this.changedGrant();
    if (dice < 90) return this.changedDisk();
    return this.passing_groups.length < 100 ? this.passingGroup() : this.goneGroup();
  }

  private note(): string {
    return this.random.text(2 + this.random.below(NOTE_CHARS));
  }

  private group(): DomainEvent {
    const n = this.made_groups++;
    this.groups.push(groupId(n));
    return groupCreated(this.drive, this.random, n);
  }

  private passingGroup(): DomainEvent {
    const n = this.made_groups++;
    this.passing_groups.push(groupId(n));
    return groupCreated(this.drive, this.random, n);
  }

  private goneGroup(): DomainEvent {
    return event('GroupDeleted', { group_id: this.passing_groups.shift()! });
  }

  private changedGroup(): DomainEvent {
    const { random } = this;
    return event('GroupUpdated', {
      group_id: random.pick(this.groups),
      name: random.text(32),
      public_note: this.note(),
    });
  }

  private contact(): DomainEvent {
    const { random } = this;
    const contact_id = `UserID_${random.uuid()}`;
    const subject_key_id = `subject-${random.uuid()}`;
    this.contacts.push({ contact_id, subject_key_id });
    return event('ContactCreated', {
      contact_id,
      subject_key_id,
      name: random.text(20),
      avatar: '',
      email: `${random.text(8).replaceAll(' ', '')}@example.org`,
      notifications_url: '',
      public_note: random.text(60),
      private_note: '',
      evm_public_address: '',
      external_id: null,
      external_payload: null,
      from_placeholder_user_id: '',
      redeem_code: '',
      redeem_digest: '',
      code_ends_on_sign_in: false,
      created_by: this.drive.owner.user_id,
      everyone_invite_id: `GroupInviteID_${random.uuid()}`,
      everyone_inviter_id: this.drive.owner.user_id,
    });
  }

  private changedContact(): DomainEvent {
    const contact = this.random.pick(this.contacts);
    return event('ContactUpdated', { ...contact, public_note: this.random.text(200) });
  }

  private invite(): DomainEvent {
    const { random } = this;
    const invitee = random.pick(this.contacts).contact_id;
    const created = inviteCreated(this.drive, random, random.pick(this.groups), invitee);
    this.invites.push(created.data.invite_id);
    return created;
  }

  private changedInvite(): DomainEvent {
    const { random } = this;
    return event('GroupInviteUpdated', { invite_id: random.pick(this.invites), note: this.note() });
  }

  private grant(): DomainEvent {
    const { random } = this;
    const permission_id = `SystemPermissionID_${random.uuid()}`;
    this.grants.push(permission_id);
    const to_group = random.below(2) === 0;
    return event('SystemPermissionCreated', {
      permission_id,
      resource_id: random.pick(this.groups),
      granted_to: to_group
        ? random.pick(this.groups)
        : (random.pick(this.contacts)?.contact_id ?? this.drive.member.user_id),
      granted_by: this.drive.owner.user_id,
      permission_types: this.types(),
      ...FOR_EVER,
      note: random.text(30),
    });
  }

  private changedGrant(): DomainEvent {
    const { random } = this;
    return event('SystemPermissionUpdated', {
      permission_id: random.pick(this.grants),
      permission_types: this.types(),
      note: this.note(),
    });
  }

  private types(): readonly SystemType[] {
    const held = SYSTEM_TYPES.filter(() => this.random.below(2) === 0);
    return held.length > 0 ? held : ['VIEW'];
  }

  private disk(): DomainEvent {
    const { random } = this;
    const disk_id = `DiskID_${random.uuid()}`;
    this.disks.push(disk_id);
    return event('DiskCreated', {
      disk_id,
      disk_type: 'AWS_BUCKET',
      created_by: this.drive.owner.user_id,
      root_folder: `FolderID_${random.uuid()}`,
      trash_folder: `FolderID_${random.uuid()}`,
      everyone_grant: {
        permission_id: `DirectoryPermissionID_${random.uuid()}`,
        group_id: this.drive.everyone_group_id,
        permission_types: ['VIEW', 'UPLOAD', 'EDIT'],
      },
      creator_grants: null,
      name: random.text(20),
      public_note: random.text(60),
      private_note: null,
      auth_json: JSON.stringify({ access_key: random.uuid(), secret_key: random.uuid() }),
      endpoint: 'https://storage.example.org',
      autoexpire_ms: null,
      external_id: null,
      external_payload: null,
    });
  }

  private changedDisk(): DomainEvent {
    return event('DiskUpdated', {
      disk_id: this.random.pick(this.disks),
      public_note: this.note(),
    });
  }

  private key(): DomainEvent {
    const { random } = this;
    return event('ApiKeyCreated', {
      api_key_id: `ApiKeyID_${random.uuid()}`,
      user_id: random.pick(this.contacts).contact_id,
      created_by: this.drive.owner.user_id,
      digest: sha256Hex(random.uuid()),
      last4: 'ab==',
      subject_key_id: null,
      name: random.text(16),
      private_note: null,
      begins_at: 0,
      expires_at: -1,
      external_id: null,
      external_payload: null,
    });
  }

  private link(): DomainEvent {
    const { random } = this;
    return event('ShortlinkCreated', {
      slug: random.uuid(),
      original_url: `https://example.org/${random.text(40).replaceAll(' ', '-')}`,
      created_by: this.drive.owner.user_id,
    });
  }
}
