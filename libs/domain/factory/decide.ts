import { event, type DomainEvent } from '../foundation/events.js';
import { ADMIN_KEY_NAME, serviceKeyCreated } from '../api-keys/created.js';
import { refuseBundledDisk } from '../disks/bundled.js';
import { diskCreated } from '../disks/created.js';
import { accept, type Context, type Decider } from '../foundation/decision.js';
import { type Refusal, refuse, refuseField } from '../kernel/refusal.js';
import type {
  BeginImport,
  EndImport,
  NameDrive,
  NewMember,
  Quickstart,
  SpawnDrive,
} from './commands.js';

const FACTORY = ['FACTORY'];

export const spawnDrive: Decider<SpawnDrive> = (context, command) => {
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

export const nameDrive: Decider<NameDrive> = ({ state, caller }, { drive_id }) => {
  if (caller.via !== 'FACTORY') return refuse('forbidden');
  if (state.spawned_drives.has(drive_id)) return refuse('id-in-use');
  return accept(FACTORY, event('DriveSpawned', { drive_id }));
};

export const beginImport: Decider<BeginImport> = ({ state, caller }, { drive_id }) => {
  if (caller.via !== 'FACTORY') return refuse('forbidden');
  const named = state.spawned_drives.get(drive_id);
  if (!named) return accept(FACTORY, event('DriveImportBegun', { drive_id }));
  // An interrupted import is resumed.
  return named.importing ? accept(FACTORY) : refuse('id-in-use');
};

export const endImport: Decider<EndImport> = ({ state, caller }, command) => {
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
  { members, disk, fresh }: Quickstart,
): DomainEvent[] {
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
