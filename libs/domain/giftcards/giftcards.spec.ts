import type { Credential } from '../access/caller.js';
import { EmptyDrive } from '../testing/empty-drive.js';
import { T0 } from '../testing/drive.js';
import { type CreateGiftcard, giftcardCommands } from './commands.js';
import { giftcardReads } from './reads.js';

const { CreateGiftcard, UpdateGiftcard, DeleteGiftcard, RedeemGiftcard } = giftcardCommands;

const ANYBODY: Credential = { kind: 'factory' };
const KEY: Credential = { kind: 'factory', key: { id: 'FactoryApiKeyID_1', is_admin: false } };
const ADMIN: Credential = { kind: 'factory', key: { id: 'FactoryApiKeyID_2', is_admin: true } };
const USER: Credential = { kind: 'signature', user_id: 'UserID_somebody' };

const CLOUD = {
  endpoint: 'https://s3.example',
  access_key: 'a',
  secret_key: 'b',
  bucket: 'c',
  region: 'd',
};
const DISK = {
  name: 'Disk',
  disk_type: 'AWS_BUCKET',
  endpoint: 'https://billing.example',
  auth_json: JSON.stringify(CLOUD),
} as const;

const card = (nth = 1, more: Partial<CreateGiftcard> = {}): CreateGiftcard => ({
  ...more,
  fresh: { giftcard_id: `GiftcardSpawnOrgID_${nth}` },
});
const id = 'GiftcardSpawnOrgID_1';

/** The factory with one card. */
function factory(more: Partial<CreateGiftcard> = {}): EmptyDrive {
  const drive = new EmptyDrive('factory');
  expect(drive.when(CreateGiftcard, card(1, more)).refusal).toBeNull();
  return drive;
}

describe('CreateGiftcard', () => {
  it('creates a card without fields', () => {
    const drive = new EmptyDrive('factory');
    const { answer, allowed_by } = drive.when(CreateGiftcard, card());
    expect(answer).toEqual({
      id,
      usd_revenue_cents: 0,
      note: '',
      gas_cycles_included: 1_000_000_000,
      timestamp_ms: T0,
      external_id: null,
      redeemed: false,
      bundled_default_disk: null,
    });
    expect(allowed_by).toEqual(['FACTORY']);
  });

  it('stores the disk, and shows its credentials to administrators only', () => {
    const shown = {
      name: 'Disk',
      disk_type: 'AWS_BUCKET',
      public_note: null,
      autoexpire_ms: null,
      billing_url: 'https://billing.example',
    };
    const by = (who: Credential) =>
      new EmptyDrive('factory').when(CreateGiftcard, card(1, { bundled_default_disk: DISK }), who);
    expect(by(ADMIN).allowed_by).toEqual(['FactoryApiKeyID_2']);
    expect(by(ADMIN).answer!.bundled_default_disk).toEqual({ ...shown, auth_json: CLOUD });
    for (const who of [ANYBODY, KEY])
      expect(by(who).answer!.bundled_default_disk).toEqual({ ...shown, auth_json: null });
  });

  it('refuses a cloud disk without credentials, an external id in use, and callers other than the factory', () => {
    const drive = factory({ external_id: 'shop-1' });
    const bundled_default_disk = { ...DISK, auth_json: '{}' };
    const incomplete = drive.when(CreateGiftcard, card(2, { bundled_default_disk }));
    expect(incomplete.details).toMatchObject([{ pointer: '/bundled_default_disk/auth_json' }]);
    const taken = drive.when(CreateGiftcard, card(2, { external_id: 'shop-1' }));
    expect([taken.refusal, taken.details]).toMatchObject([
      'external-id-in-use',
      [{ pointer: '/external_id' }],
    ]);
    expect(drive.when(CreateGiftcard, card(2), USER).refusal).toBe('forbidden');
    drive.when(DeleteGiftcard, { id }, ADMIN);
    expect(drive.when(CreateGiftcard, card(3, { external_id: 'shop-1' })).refusal).toBeNull();
  });

  it('allows any number of cards without an external id', () => {
    const drive = factory({ external_id: '' });
    expect(drive.when(CreateGiftcard, card(2, { external_id: '' })).refusal).toBeNull();
    expect(drive.state.giftcards.get(id)!.external_id).toBeNull();
  });
});

describe('UpdateGiftcard', () => {
  it('changes only the given fields', () => {
    const drive = factory({ note: 'old', external_id: 'e', bundled_default_disk: DISK });
    const first = drive.when(UpdateGiftcard, { id, note: 'new', usd_revenue_cents: 5 }, ADMIN);
    expect(first.events).toEqual([
      { type: 'GiftcardUpdated', data: { giftcard_id: id, note: 'new', usd_revenue_cents: 5 } },
    ]);
    expect(first.answer).toMatchObject({
      note: 'new',
      usd_revenue_cents: 5,
      external_id: 'e',
      bundled_default_disk: { auth_json: CLOUD },
    });
    const cleared = { id, external_id: null, bundled_default_disk: null };
    const { answer } = drive.when(UpdateGiftcard, cleared, ADMIN);
    expect(answer).toMatchObject({ external_id: null, bundled_default_disk: null, note: 'new' });
  });

  it('accepts the card’s own external id, and refuses that of another', () => {
    const drive = factory({ external_id: 'e' });
    drive.when(CreateGiftcard, card(2, { external_id: 'f' }));
    expect(drive.when(UpdateGiftcard, { id, external_id: 'e' }, ADMIN).refusal).toBeNull();
    const taken = drive.when(UpdateGiftcard, { id, external_id: 'f' }, ADMIN);
    expect(taken.refusal).toBe('external-id-in-use');
  });

  it('refuses an empty change, an unknown card, an invalid disk, and callers other than administrators', () => {
    const drive = factory();
    expect(drive.when(UpdateGiftcard, { id }, ADMIN).refusal).toBe('nothing-to-update');
    const unknown = { id: 'GiftcardSpawnOrgID_none', note: 'x' };
    expect(drive.when(UpdateGiftcard, unknown, ADMIN).refusal).toBe('giftcard-not-found');
    const bundled_default_disk = { ...DISK, auth_json: 'none' };
    const bad = drive.when(UpdateGiftcard, { id, bundled_default_disk }, ADMIN);
    expect(bad.refusal).toBe('invalid-field');
    for (const who of [ANYBODY, KEY, USER])
      expect(drive.when(UpdateGiftcard, unknown, who).refusal).toBe('forbidden');
  });
});

describe('DeleteGiftcard', () => {
  it('deletes a card, even a spent one', () => {
    const drive = factory();
    expect(drive.when(DeleteGiftcard, { id }, ADMIN).answer).toEqual({ id, deleted: true });
    expect(drive.state.giftcards.size).toBe(0);
  });

  it('refuses an unknown card and callers other than administrators', () => {
    const drive = factory();
    const unknown = { id: 'GiftcardSpawnOrgID_none' };
    expect(drive.when(DeleteGiftcard, unknown, ADMIN).refusal).toBe('giftcard-not-found');
    for (const who of [ANYBODY, KEY, USER])
      expect(drive.when(DeleteGiftcard, unknown, who).refusal).toBe('forbidden');
  });
});

describe('RedeemGiftcard', () => {
  const redeem = (drive_id = 'DriveID_new', card_revision = 0) => ({
    giftcard_id: id,
    drive_id,
    card_revision,
  });

  it('spends the card and registers the drive in one step', () => {
    const drive = factory();
    const { events, allowed_by } = drive.when(RedeemGiftcard, redeem());
    expect(events.map(({ type }) => type)).toEqual(['GiftcardRedeemed', 'DriveSpawned']);
    expect(allowed_by).toEqual(['CODE']);
    expect(drive.state.spawned_drives.has('DriveID_new')).toBe(true);
    expect(drive.state.giftcards.get(id)!.drive_id).toBe('DriveID_new');
  });

  it('works once: the second drive is not registered', () => {
    const drive = factory();
    drive.when(RedeemGiftcard, redeem());
    const { refusal } = drive.when(RedeemGiftcard, redeem('DriveID_other', 1));
    expect(refusal).toBe('giftcard-redeemed');
    expect(drive.state.spawned_drives.has('DriveID_other')).toBe(false);
  });

  it('refuses a drive created from an earlier revision of the card', () => {
    const drive = factory();
    drive.when(UpdateGiftcard, { id, bundled_default_disk: DISK }, ADMIN);
    expect(drive.when(RedeemGiftcard, redeem()).refusal).toBe('precondition-failed');
    expect(drive.when(RedeemGiftcard, redeem('DriveID_new', 1)).refusal).toBeNull();
  });

  it('refuses an unknown card, a registered drive, and callers other than the factory', () => {
    const drive = factory();
    drive.when(CreateGiftcard, card(2));
    drive.when(RedeemGiftcard, redeem());
    const second = { giftcard_id: 'GiftcardSpawnOrgID_2', drive_id: 'DriveID_new' };
    const taken = drive.when(RedeemGiftcard, { ...second, card_revision: 1 });
    expect(taken.refusal).toBe('id-in-use');
    const unknown = { ...redeem(), giftcard_id: 'GiftcardSpawnOrgID_none' };
    expect(drive.when(RedeemGiftcard, unknown).refusal).toBe('giftcard-not-found');
    expect(drive.when(RedeemGiftcard, redeem(), USER).refusal).toBe('forbidden');
  });
});

describe('reading gift cards', () => {
  it('is allowed to administrators, and masks credentials if secrets are masked', () => {
    const drive = factory({ bundled_default_disk: DISK });
    const as = (who: Credential, masked = false) => ({ ...drive.context(who), masked });
    const [found] = [...drive.state.giftcards.values()];
    for (const who of [ANYBODY, KEY]) {
      expect(giftcardReads.mayAsk!(as(who), id)).toBe(false);
      expect(giftcardReads.mayRead(as(who), found!)).toBe(false);
      expect(giftcardReads.visible(as(who))).toEqual([]);
    }
    expect(giftcardReads.mayAsk!(as(ADMIN), id)).toBe(true);
    expect(giftcardReads.mayRead(as(ADMIN), found!)).toBe(true);
    expect(giftcardReads.visible(as(ADMIN))).toBe('all');
    const masked = giftcardReads.present(as(ADMIN, true), found!);
    expect(masked.bundled_default_disk).toMatchObject({ name: 'Disk', auth_json: '***' });
  });
});
