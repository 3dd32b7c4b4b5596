import { refuseField, type Refusal } from '../../domain/kernel/refusal.js';
import { deriveIdentity, isValidSeedPhrase } from '../../identity/derive.js';
import { fresh } from '../fresh.js';

/** The identity of a new contact, as given by the client. Secrets are used once and not stored. */
export interface IdentityInput {
  id?: string;
  seed_phrase?: string;
  secret_entropy?: string;
  evm_public_address?: string;
  is_placeholder?: boolean;
}

interface ContactIdentity {
  id: string;
  evm_public_address?: string;
  /** True: no user holds the key of the id, so the contact must be redeemed first. */
  is_placeholder?: true;
}

/** The id of a new contact: given, derived from a secret, or generated as a placeholder. */
export async function contactIdentity(input: IdentityInput): Promise<ContactIdentity | Refusal> {
  const { id, seed_phrase, secret_entropy, evm_public_address: given_address } = input;
  if (secret_entropy !== undefined) {
    if (id !== undefined || seed_phrase !== undefined)
      return refuseField('/secret_entropy', 'must not be given together with id or seed_phrase');
    const derived = await deriveIdentity({ secret_entropy });
    return {
      id: derived.user_id,
      evm_public_address: given_address || derived.evm_public_address,
    };
  }
  if (seed_phrase !== undefined) return fromPhrase(seed_phrase, input);
  const address = given_address === undefined ? {} : { evm_public_address: given_address };
  if (id !== undefined) return { id, ...address };
  if (input.is_placeholder === false)
    return refuseField('/id', 'is required where is_placeholder is false');
  return { id: fresh.userId(), ...address, is_placeholder: true };
}

async function fromPhrase(
  seed_phrase: string,
  { id, evm_public_address: given_address }: IdentityInput,
): Promise<ContactIdentity | Refusal> {
  if (!isValidSeedPhrase(seed_phrase))
    return refuseField('/seed_phrase', 'must be a valid BIP-39 phrase');
  const { user_id, evm_public_address } = await deriveIdentity({ seed_phrase });
  if (id !== undefined && id !== user_id)
    return refuseField('/id', 'must be the id that seed_phrase stands for');
  if (given_address && given_address.toLowerCase() !== evm_public_address.toLowerCase())
    return refuseField('/evm_public_address', 'must be the address that seed_phrase stands for');
  return { id: user_id, evm_public_address };
}
