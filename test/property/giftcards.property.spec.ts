import * as fc from 'fast-check';
import { RedeemGiftcard, RedeemGiftcardHandler } from '../../libs/application/factory/giftcards.js';
import type { Credential } from '../../libs/domain/access/caller.js';
import type { BundledDisk } from '../../libs/domain/disks/bundled.js';
import { giftcardCommands } from '../../libs/domain/giftcards/commands.js';
import type { Giftcard } from '../../libs/domain/giftcards/record.js';
import { isRefused } from '../../libs/engine/writer/call.js';
import type { Drive } from '../../libs/engine/writer/drive.js';
import { FACTORY_ID } from '../../libs/engine/fold/fold.js';
import { readSnapshot, writeSnapshot } from '../../libs/engine/snapshots/snapshot.js';
import { EngineSpec, FACTORY, request } from '../../libs/engine/testing/engine.js';
import { besides, check } from './support.js';

interface Step {
  readonly kind: 'create' | 'update' | 'delete' | 'redeem';
  /** Which of the last few cards. */
  readonly card: number;
  readonly value: number;
}

const aStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('create', 'update', 'update', 'redeem', 'redeem', 'redeem', 'delete'),
  card: fc.nat(3),
  value: fc.nat(5),
});
/** Each group is sent at one time. */
const groups = fc.array(fc.array(aStep, { minLength: 1, maxLength: 6, size: 'max' }), {
  minLength: 20,
  maxLength: 30,
  size: 'max',
});

const ADMIN: Credential = {
  kind: 'factory',
  key: { id: 'FactoryApiKeyID_1', is_admin: true },
};

/** The factory, and what those who redeemed cards were told. */
class RandomFactory {
  readonly spec = new EngineSpec();
  readonly redeemed = new Map<string, string | undefined>();
  private readonly redeemer = new RedeemGiftcardHandler(this.spec.drives);
  private made = 0;

  async send({ kind, card, value }: Step): Promise<void> {
    const { CreateGiftcard, UpdateGiftcard, DeleteGiftcard } = giftcardCommands;
    const { drives } = this.spec;
    const id = `GiftcardSpawnOrgID_${Math.max(0, this.made - 1 - card)}`;
    const fields = {
      ...(value < 3 && { external_id: `external-${value}` }),
      bundled_default_disk: { name: `disk ${value}`, disk_type: 'LOCAL_SSD' } as const,
    };
    switch (kind) {
      case 'create': {
        const fresh = { giftcard_id: `GiftcardSpawnOrgID_${this.made++}` };
        await drives.commands.run(FACTORY_ID, CreateGiftcard, { ...fields, fresh }, FACTORY);
        return;
      }
      case 'update':
        await drives.commands.run(FACTORY_ID, UpdateGiftcard, { id, ...fields }, request(ADMIN));
        return;
      case 'delete':
        await drives.commands.run(FACTORY_ID, DeleteGiftcard, { id }, request(ADMIN));
        return;
      case 'redeem': {
        const who = { owner_user_id: 'UserID_owner', owner_name: 'Olga' };
        const input = { giftcard_id: id, organization_name: 'Gift', ...who };
        const outcome = await this.redeemer.execute(new RedeemGiftcard(FACTORY_ID, input, FACTORY));
        if (isRefused(outcome)) return;
        const { drive_id, bundled_default_disk } = outcome.data;
        this.redeemed.set(drive_id, bundled_default_disk?.name);
      }
    }
  }
}

function diskOf({ keyring }: Drive, sealed: Giftcard['bundled_default_disk']): BundledDisk | null {
  return keyring.open(sealed, 'bundled_default_disk');
}

describe('gift cards sent in any order, and at one time', () => {
  it('spawn one organization each, with the disk they had just then', async () => {
    let redemptions = 0;
    await check(
      fc.asyncProperty(groups, async (all) => {
        const random = new RandomFactory();
        const { spec, redeemed } = random;
        for (const group of all) await Promise.all(group.map((step) => random.send(step)));
        const factory = await spec.drives.open(FACTORY_ID);
        const { state } = factory;
        expect([...state.spawned_drives.ids()].sort()).toEqual([...redeemed.keys()].sort());
        const external = [...state.giftcards.values()].flatMap(({ external_id: id }) => id ?? []);
        expect(new Set(external).size).toBe(external.length);

        const stored = await spec.events.readStream(FACTORY_ID, 0, 'forward', 100_000);
        const spent = stored.filter(({ type }) => type === 'GiftcardRedeemed');
        const bodies = spent.map(({ data }) => JSON.parse(data));
        expect(new Set(bodies.map(({ giftcard_id }) => giftcard_id)).size).toBe(redeemed.size);
        for (const [at, { giftcard_id, drive_id }] of bodies.entries()) {
          const to = spent[at]!.revision - 1;
          const before = await spec.drives.loader.load(FACTORY_ID, { to });
          const card = before.folded.state.giftcards.get(giftcard_id)!;
          const gift = await spec.drives.open(drive_id);
          const disk = diskOf(gift, gift.state.organization.bundled_default_disk);
          expect(disk).toEqual(diskOf(factory, card.bundled_default_disk));
          expect(disk?.name).toBe(redeemed.get(drive_id));
        }
        redemptions += redeemed.size;

        const folded = await spec.folded(FACTORY_ID);
        expect(factory.folded.hash.root()).toBe(folded.hash.root());
        expect(besides(state)).toEqual(besides(folded.state));
        const thawed = await readSnapshot(FACTORY_ID, await writeSnapshot(folded));
        expect(thawed.hash.root()).toBe(folded.hash.root());
        expect(besides(thawed.state)).toEqual(besides(folded.state));
      }),
      'gift cards',
    );
    expect(redemptions).toBeGreaterThan(0);
  });
});
