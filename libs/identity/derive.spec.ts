import { createHash } from 'node:crypto';
import { mnemonicToEntropy } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import {
  deriveIdentity,
  deriveUser,
  freshDriveId,
  freshUserId,
  isValidSeedPhrase,
} from './derive.js';
import { isPrincipalText } from './principal.js';

const ABANDON = `${'abandon '.repeat(11)}about`;

/** First addresses of widely published development phrases. */
const EVM = [
  [ABANDON, '0x9858EfFD232B4033E47d90003D41EC34EcaEda94', undefined],
  // Hardhat and Foundry, account 0
  [
    `${'test '.repeat(11)}junk`,
    '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  ],
] as const;

describe('deriving an identity', () => {
  it('gives the principal that the Internet Computer command line imports', async () => {
    // dfinity/icp-cli, test identity_import_seed_curve, curve ed25519
    const seed_phrase = 'equip will roof matter pink blind book anxiety banner elbow sun young';
    const principal = 'z2yk5-gbsi4-5eudl-y5q6u-qaqmf-37gjy-r66iy-oiqvb-d5nbr-5odxa-4qe';
    const identity = await deriveIdentity({ seed_phrase });
    expect(identity).toMatchObject({
      user_id: `UserID_${principal}`,
      icp_principal: principal,
      seed_phrase,
    });
  });

  it.each(EVM)('gives the published EVM account of "%s"', async (seed_phrase, address, key) => {
    const identity = await deriveIdentity({ seed_phrase });
    expect(identity.evm_public_address).toBe(address);
    expect(identity.evm_private_key).toMatch(/^0x[0-9a-f]{64}$/);
    expect(identity.evm_private_key).toBe(key ?? identity.evm_private_key);
  });

  it('makes 24 words of the SHA-256 of a secret, the same every time', async () => {
    const identity = await deriveIdentity({ secret_entropy: 'pässword' });
    expect(identity.seed_phrase.split(' ')).toHaveLength(24);
    expect(Buffer.from(mnemonicToEntropy(identity.seed_phrase, wordlist))).toEqual(
      createHash('sha256').update('pässword', 'utf8').digest(),
    );
    expect(await deriveIdentity({ secret_entropy: 'pässword' })).toEqual(identity);
    expect(await deriveIdentity({ seed_phrase: identity.seed_phrase })).toEqual(identity);
    expect((await deriveIdentity({ secret_entropy: 'pässworD' })).user_id).not.toBe(
      identity.user_id,
    );
  });

  it('makes a random phrase of 12 words from nothing, and says which', async () => {
    const identity = await deriveIdentity({});
    expect(identity.seed_phrase.split(' ')).toHaveLength(12);
    expect(isValidSeedPhrase(identity.seed_phrase)).toBe(true);
    expect(await deriveIdentity({ seed_phrase: identity.seed_phrase })).toEqual(identity);
    expect((await deriveIdentity({})).user_id).not.toBe(identity.user_id);
  });

  it('gives the same user without the EVM account', async () => {
    const { user_id, icp_principal, seed_phrase } = await deriveIdentity({ secret_entropy: 'a' });
    expect(await deriveUser({ secret_entropy: 'a' })).toEqual({
      user_id,
      icp_principal,
      seed_phrase,
    });
  });

  it('refuses a phrase that is not valid', async () => {
    await expect(deriveIdentity({ seed_phrase: 'not a phrase' })).rejects.toThrow(RangeError);
    await expect(deriveUser({ seed_phrase: '' })).rejects.toThrow(RangeError);
  });
});

describe('seed phrases', () => {
  // trezor/python-mnemonic, vectors.json
  it.each([
    ABANDON,
    'legal winner thank year wave sausage worth useful legal winner thank yellow',
    `${'abandon '.repeat(17)}agent`,
    `${'abandon '.repeat(23)}art`,
    'absent gorilla van acoustic humor firm title dolphin bulk barely citizen recall crane moment aspect appear track phrase actual enforce steel spoon afraid benefit',
  ])('accepts "%s"', (phrase) => {
    expect(isValidSeedPhrase(phrase)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['a wrong checksum', `${'abandon '.repeat(11)}abandon`],
    ['eleven words', 'abandon '.repeat(11).trim()],
    ['a word outside the list', `${'abandon '.repeat(11)}abouts`],
    ['upper case', ABANDON.toUpperCase()],
    ['two spaces', ABANDON.replace(' ', '  ')],
    ['a space behind', `${ABANDON} `],
    ['a lone surrogate', `${ABANDON}\ud800`],
    ['a very long text', 'abandon '.repeat(100_000)],
  ])('refuses %s', (_, phrase) => {
    expect(isValidSeedPhrase(phrase)).toBe(false);
  });
});

describe('fresh ids', () => {
  it.each([
    ['UserID_', freshUserId],
    ['DriveID_', freshDriveId],
  ] as const)('are %s and a principal, never the same twice', (prefix, fresh) => {
    const ids = Array.from({ length: 20 }, fresh);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) {
      expect(id.startsWith(prefix)).toBe(true);
      expect(isPrincipalText(id.slice(prefix.length))).toBe(true);
      expect(id).toHaveLength(prefix.length + 63);
    }
  });
});
