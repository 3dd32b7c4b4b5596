import { type Coded, type RefusalTexts, notFound } from '../kernel/refusal.js';
import type { FamilyDefinition, RecordBase } from '../kernel/record.js';
import type { BundledDisk } from '../disks/bundled.js';
import type { Sealed } from '../kernel/sealed.js';

/** The organization itself; exactly one record, its id is the drive's. */
export interface Organization extends RecordBase {
  readonly name: string;
  readonly owner_id: string;
  /** Target of a requested ownership transfer. */
  readonly pending_owner_id: string | null;
  /** Time of the transfer request, ms; 0 without one. */
  readonly pending_since_ms: number;
  readonly host_url: string;
  readonly frontend_url: string;
  /** `''` once used or erased. */
  readonly spawn_redeem_code: Sealed<string>;
  /** SHA-256 (hex) of the code, `''` once used or erased. */
  readonly spawn_redeem_digest: string;
  readonly spawn_note: Sealed<string>;
  /** The disk to create with the first key; null without one, and once created. */
  readonly bundled_default_disk: Sealed<BundledDisk | null>;
  /** `''` once that group is deleted. */
  readonly default_everyone_group_id: string;
  /** Comma-separated host names. */
  readonly allowed_domains: string;
  readonly external_id: string | null;
  readonly external_payload: string | null;
  readonly email: Sealed<string | null>;
  readonly created_at: number;
}

export const organizationFamily: FamilyDefinition<Organization> = {
  name: 'organization',
  defaults: {
    pending_owner_id: null,
    pending_since_ms: 0,
    spawn_redeem_code: '',
    spawn_redeem_digest: '',
    spawn_note: '',
    bundled_default_disk: null,
    default_everyone_group_id: '',
    allowed_domains: '',
    external_id: null,
    external_payload: null,
    email: null,
  },
  user_fields: ['owner_id', 'pending_owner_id'],
};

/** A short link; its id is the slug. */
export interface Shortlink extends RecordBase {
  readonly original_url: string;
  readonly created_by: string;
  readonly created_at: number;
}

export const shortlinkFamily: FamilyDefinition<Shortlink> = {
  name: 'shortlinks',
  defaults: {},
  user_fields: ['created_by'],
  uncounted_in_superswap: true,
};

/** One replacement of a user id; its id is that of the event. */
export interface Superswap extends RecordBase {
  readonly old_user_id: string;
  readonly new_user_id: string;
  readonly created_at: number;
}

export const superswapFamily: FamilyDefinition<Superswap> = {
  name: 'superswaps',
  defaults: {},
  // A superswap record is history and no reference to a user, so it keeps the old ids.
  user_fields: [],
};

/** Refusals of this family's commands and queries. */
export const organizationRefusals = {
  'organization-not-found': notFound('organization'),
  'shortlink-not-found': notFound('shortlink', 'short link'),
  'user-not-referenced': {
    type: 'superswap.not-found',
    status: 404,
    title: 'Nothing in this organization refers to this user id.',
  },
  'same-user': { type: 'request.same-user', status: 400, title: 'Both user ids are the same.' },
  'no-pending-transfer': {
    type: 'transfer.none-pending',
    status: 400,
    title: 'No ownership transfer is pending.',
  },
  'already-owner': {
    type: 'transfer.already-owner',
    status: 400,
    title: 'The user is already the owner.',
  },
} as const satisfies RefusalTexts;

declare module '../foundation/state.js' {
  interface Records {
    organizations: Organization;
    shortlinks: Shortlink;
    superswaps: Superswap;
  }
}

declare module '../kernel/refusal.js' {
  interface FamilyRefusals extends Coded<typeof organizationRefusals> {}
}
