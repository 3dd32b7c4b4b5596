import { ADMIN_KEY_NAME, type FreshApiKey, serviceKeyCreated } from '../api-keys/commands.js';
import { type BundledDisk, defaultDisk, refuseBundledDisk } from '../disks/bundled.js';
import { diskCreated, type DiskSettings, type FreshDisk } from '../disks/commands.js';
import { type DomainEvent, event } from '../foundation/events.js';
import { accept, type Context, type Decider } from '../foundation/decision.js';
import { decidedBy, namedCommands, type Unnamed } from '../foundation/commands.js';
import { type Refusal, refuse, refuseField } from '../kernel/refusal.js';

export interface NewMember {
  user_id: string;
  name: string;
  fresh: { subject_key_id: string; everyone_invite_id: string; api_key: FreshApiKey };
}

/** The additions of a quickstart to a new organization. */
export interface Quickstart {
  members: readonly NewMember[];
  /** Absent: the drive starts without a disk. */
  disk?: DiskSettings;
  fresh: { api_key: FreshApiKey; disk: FreshDisk };
}

/** Starts a drive's stream. Decided on the empty state of a drive that does not exist yet. */
export interface SpawnDrive {
  drive_id: string;
  organization_name: string;
  owner_id: string;
  /** Name of the owner's contact. */
  owner_name: string;
  spawn_note: string;
  email?: string | null;
  external_id?: string | null;
  /** Created when the spawn code is used. A quickstart specifies its own disk instead. */
  bundled_default_disk?: BundledDisk;
  /** Present: the organization is active at once. Absent: the spawn code activates it. */
  quickstart?: Quickstart;
  fresh: {
    subject_key_id: string;
    spawn_redeem_code: string;
    spawn_redeem_digest: string;
    everyone_group_id: string;
    everyone_invite_id: string;
    everyone_permission_id: string;
  };
}

/** Registers a drive whose stream already exists. Decided on the factory's own state. */
export interface NameDrive {
  drive_id: string;
}

/** Registers a drive whose stream is imported from another installation. It is closed until the import is complete. */
export interface BeginImport {
  drive_id: string;
}

/** Opens an imported drive after its stream is complete. */
export interface EndImport {
  drive_id: string;
  /** Revision of the last imported event. */
  revision: number;
  /** Hash of that event, hex. */
  chain_hash: string;
}

const FACTORY = ['FACTORY'];

const spawnDrive: Decider<SpawnDrive> = (context, command) => {
  const { state, caller, settings } = context;
  if (caller.via !== 'FACTORY') return refuse('forbidden');
  // The stream exists already: it must not be changed, whatever its origin.
  if (state.revision >= 0) return refuse('id-in-use');
  const { quickstart, fresh } = command;
  const invalid = quickstart && (refuseTwins(command) ?? refuseBundledDisk(quickstart.disk));
  if (invalid) return invalid;
  const spawned = event('OrganizationSpawned', {
    drive_id: command.drive_id,
    organization_name: command.organization_name,
    owner_id: command.owner_id,
    name: command.owner_name,
    host_url: settings.host_url,
    frontend_url: settings.frontend_url,
    spawn_note: command.spawn_note,
    email: command.email ?? null,
    external_id: command.external_id ?? null,
    subject_key_id: fresh.subject_key_id,
    spawn_redeem_code: fresh.spawn_redeem_code,
    spawn_redeem_digest: fresh.spawn_redeem_digest,
    everyone_group_id: fresh.everyone_group_id,
    everyone_invite_id: fresh.everyone_invite_id,
    everyone_permission_id: fresh.everyone_permission_id,
  });
  if (quickstart) return accept(FACTORY, spawned, ...activation(context, command, quickstart));
  const { bundled_default_disk } = command;
  if (!bundled_default_disk) return accept(FACTORY, spawned);
  return accept(FACTORY, spawned, event('DefaultDiskBundled', { bundled_default_disk }));
};

const nameDrive: Decider<NameDrive> = ({ state, caller }, { drive_id }) => {
  if (caller.via !== 'FACTORY') return refuse('forbidden');
  if (state.spawned_drives.has(drive_id)) return refuse('id-in-use');
  return accept(FACTORY, event('DriveSpawned', { drive_id }));
};

const beginImport: Decider<BeginImport> = ({ state, caller }, { drive_id }) => {
  if (caller.via !== 'FACTORY') return refuse('forbidden');
  const named = state.spawned_drives.get(drive_id);
  if (!named) return accept(FACTORY, event('DriveImportBegun', { drive_id }));
  // An interrupted import is resumed.
  return named.importing ? accept(FACTORY) : refuse('id-in-use');
};

const endImport: Decider<EndImport> = ({ state, caller }, command) => {
  if (caller.via !== 'FACTORY') return refuse('forbidden');
  if (!state.spawned_drives.get(command.drive_id)?.importing)
    return refuse('organization-not-found');
  return accept(FACTORY, event('DriveImported', command));
};

/** Refuses duplicate people in a quickstart: equal secrets yield equal identities. */
function refuseTwins({ owner_id, quickstart }: SpawnDrive): Refusal | null {
  const seen = new Set([owner_id]);
  for (const [at, { user_id }] of quickstart!.members.entries()) {
    if (seen.has(user_id)) return refuseField(`/members/${at}/secret_entropy`, 'is given twice');
    seen.add(user_id);
  }
  return null;
}

function activation(
  { settings, now }: Context,
  { owner_id, fresh: { everyone_group_id } }: SpawnDrive,
  { members, disk: own, fresh }: Quickstart,
): DomainEvent[] {
  const disk = own ?? defaultDisk(settings);
  const creator = { created_by: owner_id, owner_id, everyone_group_id, settings };
  return [
    event('OrganizationActivated', {}),
    serviceKeyCreated(owner_id, ADMIN_KEY_NAME, fresh.api_key, now),
    ...members.map(memberJoined),
    ...(disk ? [diskCreated(disk, fresh.disk, creator)] : []),
  ];
}

function memberJoined({ user_id, name, fresh }: NewMember): DomainEvent {
  return event('MemberJoined', {
    contact_id: user_id,
    subject_key_id: fresh.subject_key_id,
    name,
    everyone_invite_id: fresh.everyone_invite_id,
    api_key_id: fresh.api_key.api_key_id,
    api_key_digest: fresh.api_key.digest,
    api_key_last4: fresh.api_key.last4,
  });
}

/** The drive of a factory command. The caller already has the fresh keys and codes. */
interface FactoryAnswer {
  drive_id: string;
}

function factoryCommand<C extends FactoryAnswer>(decide: Decider<C>): Unnamed<C, FactoryAnswer> {
  return decidedBy(decide, { answer: (_, { drive_id }) => ({ drive_id }) });
}

export const factoryCommands = namedCommands({
  SpawnDrive: factoryCommand(spawnDrive),
  NameDrive: factoryCommand(nameDrive),
  BeginImport: factoryCommand(beginImport),
  EndImport: factoryCommand(endImport),
});
