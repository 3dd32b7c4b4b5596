import { refuseField, type Refusal } from '../../domain/kernel/refusal.js';
import { deriveIdentity, isValidSeedPhrase } from '../../identity/derive.js';
import { stateQuery } from '../drive-query.js';
import { nullable, type Shown, text, view } from '../../domain/kernel/view.js';

/** The source of an identity; without either member a random phrase is generated. */
export interface CryptoIdentityInput {
  secret_entropy?: string;
  seed_phrase?: string;
}

const identityOriginView = view('IdentityOrigin', {
  secret_entropy: nullable(text('As in the request')),
  seed_phrase: text('All other members are derived from it. A random identity is lost without it'),
});

/** A user's keys. Only returned to the caller; neither stored nor logged. */
export const cryptoIdentityView = view('CryptoIdentity', {
  user_id: text({ example: 'UserID_2vxsx-fae' }),
  icp_principal: text(),
  evm_public_key: text('Account address with checksum'),
  evm_private_key: text('0x followed by 64 hex digits'),
  origin: identityOriginView,
});
export type CryptoIdentity = Shown<typeof cryptoIdentityView>;

/** Derives an identity without changing any record. */
export const GenerateCryptoIdentity = stateQuery<CryptoIdentityInput, CryptoIdentity>(
  'GenerateCryptoIdentity',
  (_, input) => cryptoIdentity(input),
);

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
