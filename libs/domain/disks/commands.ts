import type { Fresh } from '../foundation/fresh.js';
import { PREFIX } from '../kernel/ids.js';
import type { Opened } from '../kernel/sealed.js';
import type { DiskFields, DiskType } from './record.js';

/** Ids for a new disk and what comes with it. */
export interface FreshDisk {
  disk_id: string;
  root_folder: string;
  trash_folder: string;
  everyone_permission_id: string;
  root_permission_id: string;
  trash_permission_id: string;
}

export function freshDisk(fresh: Fresh): FreshDisk {
  return {
    disk_id: fresh.id(PREFIX.disk),
    root_folder: fresh.id(PREFIX.folder),
    trash_folder: fresh.id(PREFIX.folder),
    everyone_permission_id: fresh.id(PREFIX.directory_permission),
    root_permission_id: fresh.id(PREFIX.directory_permission),
    trash_permission_id: fresh.id(PREFIX.directory_permission),
  };
}

/** As the record's fields; an `autoexpire_ms` of 0 is off, too. */
type Fields = Partial<Opened<Omit<DiskFields, 'name'>>>;

/** What somebody may say of a new disk. Absent fields are empty. */
export interface DiskSettings extends Fields {
  id?: string;
  name: string;
  disk_type: DiskType;
}

export interface CreateDisk extends DiskSettings {
  fresh: FreshDisk;
}

export interface UpdateDisk extends Fields {
  id: string;
  name?: string;
}

export interface DeleteDisk {
  id: string;
}
