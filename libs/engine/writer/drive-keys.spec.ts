import { organizationCommands } from '../../domain/organization/commands.js';
import { contactCommands } from '../../domain/contacts/commands.js';
import { Box, DRIVE_KEY_ID, SEALED } from '../../domain/kernel/sealed.js';
import { OWNER } from '../../domain/testing/drive.js';
import { MemorySideStores } from '../../event-store/memory/index.js';
import { SideStoreUnreachable, StoreUnreachable } from '../../event-store/port.js';
import type { SideStores } from '../../event-store/stores.js';
import { DRIVE_A, EngineSpec } from '../testing/engine.js';
import { eventually } from '../testing/eventually.js';
import { MemoryVault } from '../testing/memory-vault.js';

/** A vault that notes what is put, and fails when told to. */
class SpecVault extends MemoryVault {
  readonly log: string[] = [];
  failing = false;
  away: Error | null = null;
  /** Until then nothing is stored. */
  waits: Promise<void> | null = null;
  /** Ids whose next read is answered with data from before they were stored. */
  readonly old = new Set<string>();

  override async get(drive_id: string, key_id: string): Promise<Uint8Array | null | undefined> {
    if (this.failing) throw new Error('the vault is closed');
    if (this.old.delete(key_id)) return undefined;
    return super.get(drive_id, key_id);
  }

  override async put(
    drive_id: string,
    keys: ReadonlyMap<string, Uint8Array>,
  ): Promise<readonly string[]> {
    this.log.push(...keys.keys());
    if (this.failing) throw new Error('the vault is closed');
    if (this.away) throw this.away;
    await this.waits;
    return super.put(drive_id, keys);
  }
}

const newContact = (id: string, name: string) => ({
  id,
  name,
  fresh: {
    subject_key_id: `subject-of-${id}`,
    invite_id: `GroupInviteID_of_${id}`,
    code: `RedeemTokenID_of_${id}`,
    code_digest: `digest-of-${id}`,
  },
});

describe('keys of a drive', () => {
  let vault: SpecVault;
  let spec: EngineSpec;
  let side: SideStores;

  beforeEach(async () => {
    vault = new SpecVault();
    const memory = new MemorySideStores();
    side = { ...memory, keys: vault, close: () => memory.close() };
    spec = new EngineSpec({ side });
    await spec.spawn();
    vault.log.length = 0;
  });

  const createContact = (on: EngineSpec, id: string, name: string) =>
    on.run(contactCommands.CreateContact, newContact(id, name));

  const nameOf = (on: EngineSpec, id: string): Promise<string> =>
    on.drives.read(DRIVE_A, ({ state, keyring }) =>
      keyring.open(state.contacts.get(id)!.name, 'name'),
    );

  it('are stored before the events that use them', async () => {
    let known_at_append: unknown;
    spec.events.onAppend(async (store) => {
      known_at_append = await vault.get(DRIVE_A, 'subject-of-UserID_ann');
      return store();
    });
    await createContact(spec, 'UserID_ann', 'Ann Archer');
    expect(known_at_append).toBeInstanceOf(Uint8Array);
    expect(vault.log).toEqual(['subject-of-UserID_ann']);
  });

  it('are not stored for a command that is rolled back', async () => {
    const drive = await spec.drives.open(DRIVE_A);
    const bounded = await spec.beside({
      limits: { organization_records_max: drive.state.record_count },
    });
    const [contact, renamed] = await Promise.all([
      createContact(bounded, 'UserID_ann', 'Ann'),
      bounded.run(organizationCommands.UpdateAllowedDomains, { allowed_domains: 'a.example' }),
    ]);
    expect(contact).toHaveProperty('refusal');
    expect(renamed).toHaveProperty('data');
    expect(vault.log).toEqual([]);
    await bounded.drives.close();
  });

  it('are not stored with a batch in which their command finds no room', async () => {
    const bounded = await spec.beside({ limits: { batch_max_bytes: 1_500 } });
    const [renamed, contact] = await Promise.all([
      bounded.run(organizationCommands.UpdateAllowedDomains, { allowed_domains: 'a.example' }),
      createContact(bounded, 'UserID_ann', 'A'.repeat(5_000)),
    ]);
    expect(renamed).toHaveProperty('data');
    expect(contact).toMatchObject({ refusal: { refusal: 'too-large' } });
    expect(vault.log).toEqual([]);
    await bounded.drives.close();
  });

  it('a vault that fails undoes the batch; nothing is appended', async () => {
    vault.failing = true;
    const appends = spec.events.asked.length;
    await expect(createContact(spec, 'UserID_ann', 'Ann')).rejects.toMatchObject({
      reason: 'store-failed',
    });
    expect(spec.events.asked.length).toBe(appends);
    expect((await spec.drives.open(DRIVE_A)).state.contacts.has('UserID_ann')).toBe(false);
  });

  it('a vault whose server is away leaves all as it was: nothing is sent to the event store', async () => {
    vault.away = new SideStoreUnreachable('MongoDB is away');
    const appends = spec.events.asked.length;
    await expect(createContact(spec, 'UserID_ann', 'Ann')).rejects.toMatchObject({
      reason: 'store-unavailable',
    });
    expect(spec.events.asked.length).toBe(appends);
    // Appends have not failed; that a store is away is reported.
    expect(spec.drives.appends.is_failing).toBe(false);
    expect(spec.notices).toEqual([]);
    expect(spec.reports).toMatchObject([{ drive_id: DRIVE_A, error: vault.away }]);
    vault.away = null;
    await createContact(spec, 'UserID_ann', 'Ann Archer');
    expect(await nameOf(spec.restarted(), 'UserID_ann')).toBe('Ann Archer');
  });

  it('a vault that does not answer holds up no reads: they do not show the contact', async () => {
    const { promise: answer, resolve } = Promise.withResolvers<void>();
    vault.waits = answer;
    const creating = createContact(spec, 'UserID_ann', 'Ann Archer');
    await spec.drives
      .open(DRIVE_A)
      .then(({ queue }) => eventually(() => vault.log.length > 0 && queue.is_busy));
    const isThere = () =>
      spec.drives.read(DRIVE_A, ({ state }) => state.contacts.has('UserID_ann'));
    expect(await isThere()).toBe(false);
    resolve();
    expect(await creating).toHaveProperty('data');
    expect(await isThere()).toBe(true);
    expect(await nameOf(spec, 'UserID_ann')).toBe('Ann Archer');
    expect(await nameOf(spec.restarted(), 'UserID_ann')).toBe('Ann Archer');
  });

  it('a key that could not be stored is stored before the next event that uses it', async () => {
    vault.failing = true;
    await createContact(spec, 'UserID_ann', 'Ann').catch(() => {});
    vault.failing = false;
    await createContact(spec, 'UserID_ann', 'Ann Archer');
    expect(await nameOf(spec.restarted(), 'UserID_ann')).toBe('Ann Archer');
  });

  it('are found by a process that starts later, and nothing is readable without them', async () => {
    await createContact(spec, 'UserID_ann', 'Ann Archer');
    expect(await nameOf(spec.restarted(), 'UserID_ann')).toBe('Ann Archer');
    await vault.destroy(DRIVE_A, ['subject-of-UserID_ann']);
    expect(await nameOf(spec.restarted(), 'UserID_ann')).toBe(SEALED);
  });

  it('that never came here leave a drive that can be read, but not changed', async () => {
    await createContact(spec, 'UserID_ann', 'Ann Archer');
    const elsewhere = new EngineSpec({ events: spec.events.store, side: new MemorySideStores() });
    expect(await nameOf(elsewhere, 'UserID_ann')).toBe(SEALED);
    await expect(elsewhere.group('New')).rejects.toMatchObject({ reason: 'sealed' });
    const { keyring } = await elsewhere.drives.open(DRIVE_A);
    expect(() => keyring.seal(DRIVE_KEY_ID, { text: 'new' })).toThrow('is missing');
    expect((await elsewhere.side.keys.all(DRIVE_A)).size).toBe(0);
  });

  it('of events that arrive while a drive is being loaded are found too', async () => {
    const late = spec.restarted();
    late.events.onRead(async (read) => {
      // Another process writes while this one is between its first look and its fold.
      await createContact(spec, 'UserID_ann', 'Ann Archer');
      return read();
    });
    expect(await nameOf(late, 'UserID_ann')).toBe('Ann Archer');
  });

  it('made by another process are learned with its events', async () => {
    const other = spec.restarted();
    await other.drives.open(DRIVE_A);
    await createContact(spec, 'UserID_ann', 'Ann Archer');
    await other.note('meets the other’s events');
    expect(await nameOf(other, 'UserID_ann')).toBe('Ann Archer');
    await other.run(contactCommands.UpdateContact, { id: 'UserID_ann', name: 'Ann Baker' });
    expect(await nameOf(spec.restarted(), 'UserID_ann')).toBe('Ann Baker');
  });

  it('made by another process are learned later if the vault fails when its events come', async () => {
    const other = spec.restarted();
    await other.drives.open(DRIVE_A);
    await createContact(spec, 'UserID_ann', 'Ann Archer');
    vault.failing = true;
    await expect(other.note()).rejects.toMatchObject({ reason: 'store-failed' });
    vault.failing = false;
    await other.note();
    await other.run(contactCommands.UpdateContact, { id: 'UserID_ann', name: 'Ann Baker' });
    expect(await nameOf(other, 'UserID_ann')).toBe('Ann Baker');
    expect(await nameOf(spec.restarted(), 'UserID_ann')).toBe('Ann Baker');
  });

  it('made by another process are learned even if the vault first answers with older data', async () => {
    const other = spec.restarted();
    await other.drives.open(DRIVE_A);
    await createContact(spec, 'UserID_ann', 'Ann Archer');
    vault.old.add('subject-of-UserID_ann');
    await other.note('meets the other’s events');
    expect(await nameOf(other, 'UserID_ann')).toBe('Ann Archer');
    await other.run(contactCommands.UpdateContact, { id: 'UserID_ann', name: 'Ann Baker' });
    expect(await nameOf(spec.restarted(), 'UserID_ann')).toBe('Ann Baker');
  });

  it('of one drive are made once, whichever of two processes is first', async () => {
    const [one, two] = [spec, spec.restarted()];
    const drives = [one, two].map(({ drives: all }) => all.open(DRIVE_A));
    // As if the drive had none yet: both think they make its first key.
    await Promise.all(drives.map(async (drive) => (await drive).keyring.forget([DRIVE_KEY_ID])));
    await Promise.all([
      createContact(one, 'UserID_ann', 'Ann'),
      createContact(two, 'UserID_bob', 'Bob'),
    ]);
    const later = spec.restarted();
    const codes = await later.drives.read(DRIVE_A, ({ state, keyring }) =>
      ['UserID_ann', 'UserID_bob'].map((id) =>
        keyring.open(state.contacts.get(id)!.redeem_code, 'redeem_code'),
      ),
    );
    expect(codes).toEqual(['RedeemTokenID_of_UserID_ann', 'RedeemTokenID_of_UserID_bob']);
  });

  describe('of a contact that had no personal text before', () => {
    const NEW = 'UserID_new';
    const rename = (on: EngineSpec, name: string) =>
      on.run(contactCommands.UpdateContact, { id: NEW, name });

    let other: EngineSpec;
    beforeEach(async () => {
      await createContact(spec, NEW, '');
      other = spec.restarted();
      await other.drives.open(DRIVE_A);
    });

    it('are those that another process stored whose append then failed', async () => {
      other.events.onAppend(() => Promise.reject(new StoreUnreachable('away')));
      await expect(rename(other, 'Nina')).rejects.toMatchObject({ reason: 'store-unavailable' });
      expect(await rename(spec, 'Nina')).toHaveProperty('data');
      for (const on of [spec, spec.restarted()]) expect(await nameOf(on, NEW)).toBe('Nina');
      await rename(other, 'Nina B');
      expect(await nameOf(other, NEW)).toBe('Nina B');
    });

    it('are made once, whichever of two processes is first', async () => {
      await Promise.all([
        rename(spec, 'Nina'),
        other.run(contactCommands.UpdateContact, { id: NEW, email: 'nina@example.com' }),
      ]);
      for (const on of [spec, other, spec.restarted()]) {
        await on.note('meets the other’s events');
        expect(await nameOf(on, NEW)).toBe('Nina');
      }
    });

    it('are not used once destroyed elsewhere', async () => {
      await vault.destroy(DRIVE_A, [`subject-of-${NEW}`]);
      await expect(rename(spec, 'Nina')).rejects.toMatchObject({ reason: 'conflict' });
      expect(await nameOf(spec.restarted(), NEW)).toBe('');
    });
  });

  it('survive a superswap with the contact they belong to', async () => {
    await createContact(spec, 'UserID_ann', 'Ann Archer');
    await spec.run(organizationCommands.SuperswapUser, {
      current_user_id: 'UserID_ann',
      new_user_id: 'UserID_anna',
    });
    expect(await nameOf(spec.restarted(), 'UserID_anna')).toBe('Ann Archer');
  });

  it('nothing personal or secret stands in clear in any event', async () => {
    await createContact(spec, 'UserID_ann', 'Ann Archer');
    const stored = await spec.events.readStream(`drive-${DRIVE_A}`, 0, 'forward', 100);
    const text = stored.map(({ data, metadata }) => data + metadata).join();
    for (const clear of ['Ann Archer', 'Olivia', 'RedeemTokenID', 'spawned for a spec'])
      expect(text).not.toContain(clear);
    const { state } = await spec.drives.open(DRIVE_A);
    expect(state.contacts.get(OWNER)!.name).toBeInstanceOf(Box);
  });
});
