import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import { PREFIX } from '../kernel/ids.js';
import { byExternalId } from '../kernel/external-id.js';
import type { Sealed } from '../kernel/sealed.js';

/** A drive in the address book of organizations; a drive's own record is made when it is spawned. */
export interface KnownDrive extends RecordBase {
  readonly name: string;
  readonly icp_principal: string;
  readonly public_note: string;
  readonly private_note: string;
  readonly host_url: string;
  readonly last_indexed_ms: number | null;
  readonly email: Sealed<string | null>;
  readonly external_id: string | null;
  readonly external_payload: string | null;
  readonly created_at: number;
}

export const knownDriveFamily: FamilyDefinition<KnownDrive> = {
  name: 'drives',
  prefix: PREFIX.drive,
  table: 'TABLE_DRIVES',
  noun: 'organization',
  defaults: {
    label_ids: [],
    public_note: '',
    private_note: '',
    last_indexed_ms: null,
    email: null,
    external_id: null,
    external_payload: null,
  },
  user_fields: [],
  indexes: byExternalId,
};

declare module '../foundation/state.js' {
  interface Records {
    drives: KnownDrive;
  }
}
