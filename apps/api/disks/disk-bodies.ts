import { DISK_TYPES, type DiskType } from '../../../libs/domain/disks/record.js';
import { DISK_TYPE_ALIASES } from '../factory/factory-bodies.js';
import { Id, Integer, OneOf, Text, Timestamp, Url } from '../platform/requests/fields.js';

export class CreateDiskBody {
  @Id('DiskID_') id?: string;
  @Text({ min: 1, max: 256, required: true, example: 'Archive' }) name!: string;
  @OneOf(DISK_TYPES, { required: true, aliases: DISK_TYPE_ALIASES, case_insensitive: true })
  disk_type!: DiskType;
  @Text({ max: 8192 }) public_note?: string;
  @Text({ max: 8192 }) private_note?: string;
  @Text({
    max: 8192,
    description: 'For AWS_BUCKET and STORJ_WEB3: JSON with the credentials of the bucket',
  })
  auth_json?: string;
  @Url({ max: 2048, http_only: true }) endpoint?: string;
  @Url({ max: 2048, http_only: true, description: 'Alias of endpoint, which takes precedence' })
  billing_url?: string;
  @Timestamp({ min: 0, description: 'Lifetime of new files in ms; 0 = off' })
  autoexpire_ms?: number;
  @Integer({ min: 1, description: 'Maximum bytes of stored content; absent = unlimited' })
  quota_bytes?: number;
  @Integer({
    min: 1,
    description: 'Versions of a file whose content is kept, with the current one; absent = all',
  })
  keep_versions?: number;
  @Integer({
    min: 0,
    description: 'Days for which the content of former versions is kept; absent = unlimited',
  })
  keep_versions_days?: number;
  @Text({ max: 256 }) external_id?: string;
  @Text({ max: 8192 }) external_payload?: string;
}

export class UpdateDiskBody {
  @Id('DiskID_', { required: true }) id!: string;
  @Text({ min: 1, max: 256, required: 'strict', null: 'refused' }) name?: string;
  @Text({ max: 8192, null: 'clears' }) public_note?: string | null;
  @Text({ max: 8192, null: 'clears' }) private_note?: string | null;
  @Text({ max: 8192, null: 'clears' }) auth_json?: string | null;
  @Url({ max: 2048, http_only: true, null: 'clears' }) endpoint?: string | null;
  @Url({ max: 2048, http_only: true, null: 'clears' }) billing_url?: string | null;
  @Timestamp({ min: 0, null: 'clears', description: 'Lifetime of new files in ms; 0 = off' })
  autoexpire_ms?: number | null;
  @Integer({
    min: 1,
    null: 'clears',
    description: 'Maximum bytes of stored content; null = unlimited',
  })
  quota_bytes?: number | null;
  @Integer({
    min: 1,
    null: 'clears',
    description: 'Versions of a file whose content is kept; null = all',
  })
  keep_versions?: number | null;
  @Integer({
    min: 0,
    null: 'clears',
    description: 'Days for which former versions are kept; null = unlimited',
  })
  keep_versions_days?: number | null;
  @Text({ max: 256, null: 'clears' }) external_id?: string | null;
  @Text({ max: 8192, null: 'clears' }) external_payload?: string | null;
}

export class DeleteDiskBody {
  @Id('DiskID_', { required: true }) id!: string;
}
