import type { CryptoIdentityInput } from '../../../libs/application/identities/identities.js';
import { Text } from '../platform/requests/fields.js';

export class CryptoIdentityBody implements CryptoIdentityInput {
  @Text({ min: 1, max: 256, description: 'Secret from which the phrase is derived' })
  secret_entropy?: string;
  @Text({ max: 256, description: 'English BIP-39 phrase, used unchanged' })
  seed_phrase?: string;
}
