import type { DiskType } from './record.js';

/** Ids for a new disk and what comes with it. */
export interface FreshDisk {
  disk_id: string;
  root_folder: string;
  trash_folder: string;
  everyone_permission_id: string;
  root_permission_id: string;
  trash_permission_id: string;
}

interface DiskFields {
  public_note: string | null;
  private_note: string | null;
  auth_json: string | null;
  endpoint: string | null;
  /** ms; null or 0 = off. */
  autoexpire_ms: number | null;
  external_id: string | null;
  external_payload: string | null;
}

/** What somebody may say of a new disk. Absent fields are empty. */
export interface DiskSettings extends Partial<DiskFields> {
  id?: string;
  name: string;
  disk_type: DiskType;
}

export interface CreateDisk extends DiskSettings {
  fresh: FreshDisk;
}

export interface UpdateDisk extends Partial<DiskFields> {
  id: string;
  name?: string;
}

export interface DeleteDisk {
  id: string;
}
