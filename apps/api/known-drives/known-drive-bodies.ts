import { isPrincipalText } from '../../../libs/identity/principal.js';
import { Email, Field, Id, Text, Url } from '../platform/requests/fields.js';
import { fault, Rule, type FieldOptions } from '../platform/requests/rule.js';

const malformed = fault('must be a principal in text form');

const Principal = (options: FieldOptions): PropertyDecorator =>
  Field(
    new Rule(
      { type: 'string', maxLength: 63 },
      (value) => (typeof value === 'string' && isPrincipalText(value) ? value : malformed),
      { example: 'rrkah-fqaaa-aaaaa-aaaaq-cai', ...options },
    ),
  );

export class CreateKnownDriveBody {
  @Id('DriveID_', { description: 'Default: DriveID_ followed by the principal' }) id?: string;
  @Text({ min: 1, max: 256, required: true, example: 'Acme' }) name!: string;
  @Principal({ required: true }) icp_principal!: string;
  @Url({ max: 4096, description: 'Default: https://{icp_principal}.icp0.io' }) host_url?: string;
  @Text({ max: 8192 }) public_note?: string;
  @Text({ max: 8192 }) private_note?: string;
  @Email() email?: string;
  @Text({ max: 256 }) external_id?: string;
  @Text({ max: 8192 }) external_payload?: string;
}

export class UpdateKnownDriveBody {
  @Id('DriveID_', { required: true }) id!: string;
  @Text({ min: 1, max: 256, null: 'keeps' }) name?: string;
  @Principal({ null: 'keeps' }) icp_principal?: string;
  @Url({ max: 4096, null: 'clears', description: 'Null resets it to the default' })
  host_url?: string | null;
  @Text({ max: 8192, null: 'clears' }) public_note?: string | null;
  @Text({ max: 8192, null: 'clears' }) private_note?: string | null;
  @Email({ null: 'clears' }) email?: string | null;
  @Text({ max: 256, null: 'clears' }) external_id?: string | null;
  @Text({ max: 8192, null: 'clears' }) external_payload?: string | null;
}

export class DeleteKnownDriveBody {
  @Id('DriveID_', { required: true }) id!: string;
}
