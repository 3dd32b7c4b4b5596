import type {
  CryptoIdentity,
  CryptoIdentityInput,
} from '../../../libs/application/identities/identities.js';
import { Text } from '../platform/requests/fields.js';
import { ShownRecord, ShownText, ShownTextOrNull } from '../records/shown.js';

export class CryptoIdentityBody implements CryptoIdentityInput {
  @Text({ min: 1, max: 256, description: 'The phrase follows from it' }) secret_entropy?: string;
  @Text({ max: 256, description: 'A BIP-39 phrase in English, taken as it is' })
  seed_phrase?: string;
}

export class IdentityOriginRecord {
  @ShownTextOrNull({ description: 'As it was given' }) secret_entropy!: string | null;
  @ShownText({ description: 'Everything follows from it; without it a random identity is lost' })
  seed_phrase!: string;
}

export class CryptoIdentityRecord implements CryptoIdentity {
  @ShownText({ example: 'UserID_2vxsx-fae' }) user_id!: string;
  @ShownText() icp_principal!: string;
  @ShownText({ description: 'The address of the account, with its checksum' })
  evm_public_key!: string;
  @ShownText({ description: '0x and 64 hex digits' }) evm_private_key!: string;
  @ShownRecord(() => IdentityOriginRecord) origin!: IdentityOriginRecord;
}
