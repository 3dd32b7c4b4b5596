import type {
  CryptoIdentity,
  CryptoIdentityInput,
} from '../../../libs/application/identities/identities.js';
import { Text } from '../platform/requests/fields.js';
import { ShownRecord, ShownText, ShownTextOrNull } from '../records/shown.js';

export class CryptoIdentityBody implements CryptoIdentityInput {
  @Text({ min: 1, max: 256, description: 'Secret from which the phrase is derived' })
  secret_entropy?: string;
  @Text({ max: 256, description: 'English BIP-39 phrase, used unchanged' })
  seed_phrase?: string;
}

export class IdentityOriginRecord {
  @ShownTextOrNull({ description: 'As in the request' }) secret_entropy!: string | null;
  @ShownText({
    description: 'Everything else derives from it; without it, a random identity is lost',
  })
  seed_phrase!: string;
}

export class CryptoIdentityRecord implements CryptoIdentity {
  @ShownText({ example: 'UserID_2vxsx-fae' }) user_id!: string;
  @ShownText() icp_principal!: string;
  @ShownText({ description: 'Account address with checksum' })
  evm_public_key!: string;
  @ShownText({ description: '0x followed by 64 hex digits' }) evm_private_key!: string;
  @ShownRecord(() => IdentityOriginRecord) origin!: IdentityOriginRecord;
}
