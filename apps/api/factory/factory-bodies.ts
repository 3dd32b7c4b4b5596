import type { DiskSettings } from '../../../libs/domain/disks/commands.js';
import { DISK_TYPES, type DiskType } from '../../../libs/domain/disks/record.js';
import {
  Email,
  JsonObject,
  ListOf,
  Nested,
  OneOf,
  Text,
  Timestamp,
  Url,
} from '../platform/requests/fields.js';

/** Alternative spellings of disk types that clients may send. */
export const DISK_TYPE_ALIASES = {
  BrowserCache: 'BROWSER_CACHE',
  LocalSSD: 'LOCAL_SSD',
  AwsBucket: 'AWS_BUCKET',
  StorjWeb3: 'STORJ_WEB3',
  IcpCanister: 'ICP_CANISTER',
} as const;

export class AdminBody {
  @Text({ min: 1, max: 64, trim: true, default: 'Admin' }) name!: string;
  @Text({ min: 1, max: 256, description: 'Secret from which the identity is derived' })
  secret_entropy?: string;
  @Text({ max: 256 }) tracer?: string;
}

export class MemberBody {
  @Text({ min: 1, max: 256 }) name?: string;
  @Text({ min: 1, max: 256 }) secret_entropy?: string;
  @Text({ max: 256 }) tracer?: string;
}

export class BundledDiskBody {
  @Text({ min: 1, max: 256, required: true }) name!: string;
  @OneOf(DISK_TYPES, { required: true, aliases: DISK_TYPE_ALIASES, case_insensitive: true })
  disk_type!: DiskType;
  @Text({ max: 8192 }) public_note?: string;
  @Timestamp({ min: 0, description: 'Lifetime of new files in ms; 0 = off' })
  autoexpire_ms?: number;
  @Url({ max: 2048, http_only: true }) billing_url?: string;
  @JsonObject({ max: 8192, description: 'endpoint, access_key, secret_key, bucket, region' })
  auth_json?: object;
}

/** A bundled disk as the domain expects it, with its credentials as JSON text. */
export function diskSettings({ billing_url, auth_json, ...disk }: BundledDiskBody): DiskSettings {
  return {
    ...disk,
    ...(billing_url !== undefined && { endpoint: billing_url }),
    ...(auth_json && { auth_json: JSON.stringify(auth_json) }),
  };
}

export class QuickstartBody {
  @Text({ min: 1, max: 64, trim: true, default: 'Anonymous Org', example: 'Acme' })
  org_name!: string;
  @ListOf(() => MemberBody, { max: 100 }) members?: MemberBody[];
  @Nested(() => AdminBody) admin?: AdminBody;
  @Email() email?: string;
  @Text({ max: 8192 }) note?: string;
  @Text({ max: 256 }) tracer?: string;
  @Nested(() => BundledDiskBody) bundled_default_disk?: BundledDiskBody;
}
