import type { Opened } from '../kernel/sealed.js';
import type { KnownDriveFields } from './record.js';

/**
 * Fields of a known drive that a caller may set. Absent fields get their default (create) or do not change (update).
 */
type KnownDriveInput = Partial<Opened<Omit<KnownDriveFields, 'host_url'>>>;

export interface CreateKnownDrive extends KnownDriveInput {
  /** Absent: derived from the principal. */
  id?: string;
  name: string;
  icp_principal: string;
  host_url?: string;
}

export interface UpdateKnownDrive extends KnownDriveInput {
  id: string;
  /** Null: resets to the default. */
  host_url?: string | null;
}

export interface DeleteKnownDrive {
  id: string;
}
