import type { FreshApiKey } from '../api-keys/commands.js';
import type { BundledDisk } from '../disks/bundled.js';
import type { DiskSettings, FreshDisk } from '../disks/commands.js';

/** A member of a new organization. */
export interface NewMember {
  user_id: string;
  name: string;
  fresh: { subject_key_id: string; everyone_invite_id: string; api_key: FreshApiKey };
}

/** What a quickstart adds to a bare organization. */
export interface Quickstart {
  members: readonly NewMember[];
  /** Absent: the drive begins without a disk. */
  disk?: DiskSettings;
  fresh: { api_key: FreshApiKey; disk: FreshDisk };
}

/** Begins a drive's stream. Decided on the empty state of a drive that does not exist yet. */
export interface SpawnDrive {
  drive_id: string;
  organization_name: string;
  owner_id: string;
  /** Name of the owner's contact. */
  owner_name: string;
  spawn_note: string;
  email?: string | null;
  external_id?: string | null;
  /** Made when the spawn code is used; a quickstart has a disk of its own. */
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

/** Makes a drive known whose stream was begun before. Decided on the factory's own state. */
export interface NameDrive {
  drive_id: string;
}

/** Names a drive whose stream comes from another installation; it stays closed until it is there whole. */
export interface BeginImport {
  drive_id: string;
}

/** Opens a drive under import: its stream is there whole. */
export interface EndImport {
  drive_id: string;
  /** Of the last event that was imported. */
  revision: number;
  /** Hash of that event, hex. */
  chain_hash: string;
}
