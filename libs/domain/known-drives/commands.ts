/** What a caller may set of a known drive. Absent fields take their default (create) or stay (update). */
interface KnownDriveInput {
  name?: string;
  icp_principal?: string;
  public_note?: string;
  private_note?: string;
  email?: string | null;
  external_id?: string | null;
  external_payload?: string | null;
}

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
