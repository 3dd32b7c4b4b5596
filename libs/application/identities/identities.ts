import { refuseField, type Refusal } from '../../domain/kernel/refusal.js';
import { deriveIdentity, isValidSeedPhrase } from '../../identity/derive.js';
import { DriveQuery, driveQueryHandler } from '../drive-query.js';
import { answerFrom } from '../read-record.js';

/** What an identity is to be made from; neither: a random phrase. */
export interface CryptoIdentityInput {
  secret_entropy?: string;
  seed_phrase?: string;
}

/** A user's keys. Shown to the caller only; neither stored nor logged. */
export interface CryptoIdentity {
  user_id: string;
  icp_principal: string;
  /** The account's address, which is what clients know the key by. */
  evm_public_key: string;
  evm_private_key: string;
  origin: {
    secret_entropy: string | null;
    /** The phrase that everything follows from, also if it was made from entropy or by chance. */
    seed_phrase: string;
  };
}

/** Derives an identity; no record is touched. */
export class GenerateCryptoIdentity extends DriveQuery<CryptoIdentityInput, CryptoIdentity> {}

export const identityHandlers = [
  driveQueryHandler(GenerateCryptoIdentity, (drives, reader, input) =>
    answerFrom(drives, reader, () => cryptoIdentity(input)),
  ),
];

async function cryptoIdentity(input: CryptoIdentityInput): Promise<CryptoIdentity | Refusal> {
  const { secret_entropy, seed_phrase } = input;
  if (secret_entropy !== undefined && seed_phrase !== undefined)
    return refuseField('/secret_entropy', 'must not be given together with seed_phrase');
  if (seed_phrase !== undefined && !isValidSeedPhrase(seed_phrase))
    return refuseField('/seed_phrase', 'must be a valid BIP-39 phrase');
  const identity = await deriveIdentity(
    seed_phrase !== undefined
      ? { seed_phrase }
      : secret_entropy !== undefined
        ? { secret_entropy }
        : {},
  );
  return {
    user_id: identity.user_id,
    icp_principal: identity.icp_principal,
    evm_public_key: identity.evm_public_address,
    evm_private_key: identity.evm_private_key,
    origin: { secret_entropy: secret_entropy ?? null, seed_phrase: identity.seed_phrase },
  };
}
