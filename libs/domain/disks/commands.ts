import type { Fresh } from '../foundation/fresh.js';
import { PREFIX } from '../kernel/ids.js';
import type { Opened } from '../kernel/sealed.js';
import type { DiskFields, DiskType } from './record.js';

/** Ids for a new disk, its folders and its grants. */
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

/** The fields of the record; an `autoexpire_ms` of 0 also means off. */
type Fields = Partial<Opened<Omit<DiskFields, 'name'>>>;

/** Settings of a new disk. Absent fields are empty. */
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
