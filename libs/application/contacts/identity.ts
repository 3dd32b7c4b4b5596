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

/** The identity, or the reason why there is none. */
export type Identified = ContactIdentity | Refusal;

/** The id of a new contact: given, derived from a secret, or generated as a placeholder. A promise only if derived. */
export function contactIdentity(input: IdentityInput): Identified | Promise<Identified> {
  const { id, seed_phrase, secret_entropy, evm_public_address: given_address } = input;
  if (secret_entropy !== undefined) {
    if (id !== undefined || seed_phrase !== undefined)
      return refuseField('/secret_entropy', 'must not be given together with id or seed_phrase');
    return fromEntropy(secret_entropy, given_address);
  }
  if (seed_phrase !== undefined) {
    if (!isValidSeedPhrase(seed_phrase))
      return refuseField('/seed_phrase', 'must be a valid BIP-39 phrase');
    return fromPhrase(seed_phrase, input);
  }
  const address = given_address === undefined ? {} : { evm_public_address: given_address };
  if (id !== undefined) return { id, ...address };
  if (input.is_placeholder === false)
    return refuseField('/id', 'is required where is_placeholder is false');
  return { id: fresh.userId(), ...address, is_placeholder: true };
}

async function fromEntropy(
  secret_entropy: string,
  given_address: string | undefined,
): Promise<ContactIdentity> {
  const { user_id, evm_public_address } = await deriveIdentity({ secret_entropy });
  return { id: user_id, evm_public_address: given_address || evm_public_address };
}

async function fromPhrase(
  seed_phrase: string,
  { id, evm_public_address: given_address }: IdentityInput,
): Promise<Identified> {
  const { user_id, evm_public_address } = await deriveIdentity({ seed_phrase });
  if (id !== undefined && id !== user_id)
    return refuseField('/id', 'must be the id that seed_phrase stands for');
  if (given_address && given_address.toLowerCase() !== evm_public_address.toLowerCase())
    return refuseField('/evm_public_address', 'must be the address that seed_phrase stands for');
  return { id: user_id, evm_public_address };
}
