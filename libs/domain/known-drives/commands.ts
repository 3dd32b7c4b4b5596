import type { Opened } from '../kernel/sealed.js';
import type { KnownDriveFields } from './record.js';

/** What a caller may set of a known drive. Absent fields take their default (create) or stay (update). */
type KnownDriveInput = Partial<Opened<Omit<KnownDriveFields, 'host_url'>>>;

export interface CreateKnownDrive extends KnownDriveInput {
  /** Absent: made of the principal. */
  id?: string;
  name: string;
  icp_principal: string;
  host_url?: string;
}

export interface UpdateKnownDrive extends KnownDriveInput {
  id: string;
  /** Null: back to the default. */
  host_url?: string | null;
}

export interface DeleteKnownDrive {
  id: string;
}
