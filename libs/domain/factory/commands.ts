import type { FreshApiKey } from '../api-keys/commands.js';
import type { BundledDisk } from '../disks/bundled.js';
import type { DiskSettings, FreshDisk } from '../disks/commands.js';

/** A member of a new organization. */
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
