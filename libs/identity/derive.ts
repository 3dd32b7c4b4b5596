/** Identities: from a seed phrase or a secret to a user id, a principal and an EVM account. */
import { createHash, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { entropyToMnemonic, generateMnemonic, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { privateKeyOf, randomPublicKey, rawPublicKey } from './ed25519.js';
import { evmAccount, type EvmAccount } from './evm.js';
import { PRINCIPAL_PREFIXES, selfAuthenticatingPrincipal } from './principal.js';
import { slip10Ed25519 } from './slip10.js';

/** Source of an identity. Neither: a random phrase. */
type IdentitySource =
  | { readonly seed_phrase: string; readonly secret_entropy?: undefined }
  | { readonly secret_entropy: string; readonly seed_phrase?: undefined }
  | { readonly seed_phrase?: undefined; readonly secret_entropy?: undefined };

interface UserIdentity {
  /** `UserID_` and the principal. */
  readonly user_id: string;
  /** Self-authenticating principal, text of 63 characters. */
  readonly icp_principal: string;
  /** The BIP-39 phrase from which everything is derived; knowing it suffices to act as this user. */
  readonly seed_phrase: string;
}

type Identity = UserIdentity & EvmAccount;

/** BIP-44 with the Internet Computer's coin type 223, every step hardened: m/44'/223'/0'/0'/0'. */
const ICP_PATH = [44, 223, 0, 0, 0];
/** 24 English words of at most 8 letters and 23 spaces. */
const MAX_PHRASE_LENGTH = 215;
/** BIP-39, section "From mnemonic to seed": rounds of HMAC-SHA512, and length of the seed in bytes. */
const SEED_ROUNDS = 2048;
const SEED_BYTES = 64;

const derived = promisify(pbkdf2);

/** True for an English BIP-39 phrase of 12–24 words with a valid checksum. */
export function isValidSeedPhrase(phrase: string): boolean {
  return phrase.length <= MAX_PHRASE_LENGTH && validateMnemonic(phrase, wordlist);
}

/**
 * The whole identity, EVM account included. The same source always gives the same identity.
 * About 1 ms in a worker thread and 5 ms in this one.
 * @throws RangeError for an invalid phrase: see `isValidSeedPhrase`
 */
export async function deriveIdentity(source: IdentitySource): Promise<Identity> {
  const phrase = phraseOf(source);
  const seed = await seedOf(phrase);
  return { ...userOf(phrase, seed), ...evmAccount(seed) };
}

/**
 * The same user without the EVM account, for creating many at once: about 1 ms in a worker thread and 0.3 ms in this
 * one.
 * @throws RangeError for a phrase that is not valid
 */
export async function deriveUser(source: IdentitySource): Promise<UserIdentity> {
  const phrase = phraseOf(source);
  return userOf(phrase, await seedOf(phrase));
}

/** A user id of a random key that is discarded: for users who have only an api key. */
export function freshUserId(): string {
  return PRINCIPAL_PREFIXES.user + selfAuthenticatingPrincipal(randomPublicKey());
}

/** The id of a new drive: the principal of a random key that is discarded. */
export function freshDriveId(): string {
  return PRINCIPAL_PREFIXES.drive + selfAuthenticatingPrincipal(randomPublicKey());
}

function phraseOf({ seed_phrase, secret_entropy }: IdentitySource): string {
  if (seed_phrase !== undefined) return checkedPhrase(seed_phrase);
  if (secret_entropy !== undefined) return entropyPhrase(secret_entropy);
  return generateMnemonic(wordlist);
}

function checkedPhrase(phrase: string): string {
  if (!isValidSeedPhrase(phrase)) throw new RangeError('Not a valid BIP-39 phrase');
  return phrase;
}

/** 24 words from the SHA-256 of the text's UTF-8. */
function entropyPhrase(secret_entropy: string): string {
  const entropy = createHash('sha256').update(secret_entropy, 'utf8').digest();
  return entropyToMnemonic(entropy, wordlist);
}

/** BIP-39 with an empty passphrase, computed off the event loop. */
function seedOf(phrase: string): Promise<Buffer> {
  return derived(phrase.normalize('NFKD'), 'mnemonic', SEED_ROUNDS, SEED_BYTES, 'sha512');
}

function userOf(seed_phrase: string, seed: Uint8Array): UserIdentity {
  const key = privateKeyOf(slip10Ed25519(seed, ICP_PATH));
  const icp_principal = selfAuthenticatingPrincipal(rawPublicKey(key));
  return { user_id: PRINCIPAL_PREFIXES.user + icp_principal, icp_principal, seed_phrase };
}
