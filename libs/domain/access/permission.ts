import type { RecordBase } from '../kernel/record.js';
import type { Sealed } from '../kernel/sealed.js';

export interface Permission<Type extends string = string> extends RecordBase {
  /** Directory: a folder's or file's id. System: `TABLE_X` or a record's id. */
  readonly resource_id: string;
  /** A user, a group, a placeholder or `PUBLIC`. */
  readonly granted_to: string;
  readonly granted_by: string;
  /** Distinct, in enumeration order. */
  readonly permission_types: readonly Type[];
  /** ms; 0 = from the start. */
  readonly begin_date_ms: number;
  /** ms; -1 = never. */
  readonly expiry_date_ms: number;
  readonly inheritable: boolean;
  readonly note: string;
  readonly metadata: Sealed<object | null>;
  readonly redeem_code: Sealed<string | null>;
  /** SHA-256 (hex) of the code, `''` without one. */
  readonly redeem_digest: string;
  readonly from_placeholder_grantee: string | null;
  readonly external_id: string | null;
  readonly external_payload: string | null;
  readonly created_at: number;
  readonly last_modified_at: number;
}
