import { type Coded, type RefusalTexts, notFound } from '../kernel/refusal.js';
import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import { PREFIX } from '../kernel/ids.js';
import { byExternalId } from '../kernel/external-id.js';
import type { Sealed } from '../kernel/sealed.js';

/** The fields of a known drive that a client may set, with their defaults. */
export const KNOWN_DRIVE_DEFAULTS = {
  public_note: '',
  private_note: '',
  email: null as string | null,
  external_id: null as string | null,
  external_payload: null as string | null,
};

export type KnownDriveFields = Omit<typeof KNOWN_DRIVE_DEFAULTS, 'email'> & {
  name: string;
  icp_principal: string;
  host_url: string;
  email: Sealed<string | null>;
};

/** A drive in the address book of organizations. A drive's own record is created with the drive. */
export interface KnownDrive extends RecordBase, Readonly<KnownDriveFields> {
  readonly last_indexed_ms: number | null;
  readonly created_at: number;
}

export const knownDriveFamily: FamilyDefinition<KnownDrive> = {
  name: 'drives',
  prefix: PREFIX.drive,
  table: 'TABLE_DRIVES',
  noun: 'organization',
  defaults: { label_ids: [], last_indexed_ms: null, ...KNOWN_DRIVE_DEFAULTS },
  user_fields: [],
  indexes: byExternalId,
};

/** Refusals of this family's commands and queries. */
export const knownDriveRefusals = {
  'drive-not-found': notFound('drive'),
  'own-drive-undeletable': {
    type: 'drive.own-undeletable',
    status: 400,
    title: "The organization's own drive record cannot be deleted.",
  },
} as const satisfies RefusalTexts;

declare module '../foundation/state.js' {
  interface Records {
    drives: KnownDrive;
  }
}

declare module '../kernel/refusal.js' {
  interface FamilyRefusals extends Coded<typeof knownDriveRefusals> {}
}
