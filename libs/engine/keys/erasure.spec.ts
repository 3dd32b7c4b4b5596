import { contactCommands } from '../../domain/contacts/commands.js';
import { OWNER } from '../../domain/testing/drive.js';
import { MemorySideStores } from '../../event-store/memory/index.js';
import type { SideStores } from '../../event-store/stores.js';
import { ERASED } from '../../domain/kernel/sealed.js';
import { repeating } from '../../read-model/memory/testing/repeating.js';
import type { StateReads } from '../../read-model/memory/state-reads.js';
import type { ReadModelSchema } from '../../read-model/port.js';
import { DRIVE_A, EngineSpec } from '../testing/engine.js';
import { MemoryVault } from '../testing/memory-vault.js';
import { eventually } from '../testing/eventually.js';

/** A vault that notes what is destroyed, and fails when told to. */
class SpecVault extends MemoryVault {
  readonly destroyed: string[] = [];
  failing = false;

  override async destroy(drive_id: string, key_ids: readonly string[]): Promise<void> {
    if (this.failing) throw new Error('the vault is closed');
    this.destroyed.push(...key_ids);
    await super.destroy(drive_id, key_ids);
  }
}

const ANN = 'UserID_ann';
const KEY = 'subject-ann';

describe('erasing a person', () => {
  let vault: SpecVault;
  let side: SideStores;
  let spec: EngineSpec;

  beforeEach(async () => {
    vault = new SpecVault();
    side = Object.assign(new MemorySideStores(), { keys: vault });
    spec = new EngineSpec({ side });
    await spec.spawn();
    await spec.run(contactCommands.CreateContact, {
      id: ANN,
      name: 'Ann Archer',
      fresh: { subject_key_id: KEY, invite_id: 'GroupInviteID_a', code: '', code_digest: '' },
    });
  });

  const erase = (on = spec) => on.run(contactCommands.EraseContact, { id: ANN });
  const nameBefore = async (on = spec): Promise<string> => {
    const { folded } = await on.drives.loader.load(DRIVE_A, { to: 1 });
    const drive = await on.drives.open(DRIVE_A);
    return drive.keyring.open(folded.state.contacts.get(ANN)!.name, 'name');
  };

  it('appends the event first, then destroys the key and forgets what it opened', async () => {
    expect(await nameBefore()).toBe('Ann Archer');
    let at_append: unknown;
    spec.events.onAppend(async (store) => {
      at_append = await vault.get(DRIVE_A, KEY);
      return store();
    });
    expect(await erase()).toMatchObject({ data: { id: ANN, erased: true } });
    expect(at_append).toBeDefined();
    expect(vault.destroyed).toEqual([KEY]);
    expect(await vault.get(DRIVE_A, KEY)).toBeNull();
    expect(await nameBefore()).toBe(ERASED);
  });

  it('leaves no contact to update after a restore from before it, as its key cannot come back', async () => {
    const { UpdateContact, EraseContact } = contactCommands;
    await vault.destroy(DRIVE_A, [KEY]);
    const restored = spec.restarted();
    const update = (fields: object) => restored.run(UpdateContact, { id: ANN, ...fields });
    const sealed = { refusal: { refusal: 'contact-sealed' } };
    expect(await update({ name: 'Ann Archer' })).toMatchObject(sealed);
    expect(await update({ email: 'ann@a.example' })).toMatchObject(sealed);
    expect((await restored.drives.open(DRIVE_A)).keyring.has(KEY)).toBe(false);
    expect(await restored.run(EraseContact, { id: ANN })).toMatchObject({ data: { erased: true } });
  });

  it('destroys no key of an append that failed', async () => {
    spec.events.onAppend(() => Promise.reject(new Error('the disk is full')));
    await expect(erase()).rejects.toMatchObject({ reason: 'store-failed' });
    expect(vault.destroyed).toEqual([]);
    expect(await nameBefore()).toBe('Ann Archer');
  });

  it('destroys no key in a dry run', async () => {
    const credential = { kind: 'signature', user_id: OWNER } as const;
    const request = { credential, correlation_id: 'r', reason: null, idempotency: null };
    await spec.drives.commands.run(
      DRIVE_A,
      contactCommands.EraseContact,
      { id: ANN },
      { ...request, dry_run: true },
    );
    expect(vault.destroyed).toEqual([]);
    expect(await nameBefore()).toBe('Ann Archer');
  });

  it('leaves no text in the index over the state, also before the next query', async () => {
    const schema: ReadModelSchema = {
      contacts: {
        created_at: () => 0,
        filter_text: (record) => (record as { name: string }).name,
        fields: {},
      },
    };
    spec = new EngineSpec({ side: new MemorySideStores(), schema });
    await spec.spawn();
    await spec.run(contactCommands.CreateContact, {
      id: ANN,
      name: 'Ann Archer',
      fresh: { subject_key_id: KEY, invite_id: 'GroupInviteID_a', code: '', code_digest: '' },
    });
    const reads = (await spec.drives.open(DRIVE_A)).reads as StateReads;
    const query = { family: 'contacts', direction: 'ASC', page_size: 10, visible: 'all' } as const;
    const filter = { text: 'archer' };
    const { total } = await repeating(reads).list(DRIVE_A, { ...query, filter });
    expect(total).toBe(1);
    const { texts } = reads['image']['families'].get('contacts')!;
    const { text } = filter;
    expect(texts.index.find({ kind: 'filter', text })).not.toEqual(new Int32Array(512));
    await erase();
    expect(texts.index.find({ kind: 'filter', text })).toEqual(new Int32Array(512));
  });

  it('that could not destroy the key says so, shows nothing, and is tried again', async () => {
    vault.failing = true;
    let advances = 0;
    spec.drives.advances.subscribe(() => advances++);
    await expect(erase()).rejects.toMatchObject({ reason: 'outcome-unknown' });
    // The event is stored, so listeners learn of it.
    expect(advances).toBe(1);
    expect(await nameBefore()).toBe(ERASED);
    expect(spec.reports).toMatchObject([{ what: 'keys of erased people not destroyed' }]);
    // Commands that erase nobody do not fail with it.
    await spec.note();
    expect(vault.destroyed).toEqual([]);
    vault.failing = false;
    await eventually(() => vault.destroyed.length > 0);
    await spec.note();
    expect(vault.destroyed).toEqual([KEY]);
  });

  it('is finished by the next start after a crash before the key was destroyed', async () => {
    vault.failing = true;
    await expect(erase()).rejects.toMatchObject({ reason: 'outcome-unknown' });
    await spec.drives.close();
    vault.failing = false;
    const next = spec.restarted();
    expect(await nameBefore(next)).toBe(ERASED);
    expect(vault.destroyed).toEqual([KEY]);
    expect(await vault.get(DRIVE_A, KEY)).toBeNull();
  });

  it('is finished on a restored backup of the keys', async () => {
    const backup = await vault.all(DRIVE_A);
    await erase();
    const restored = new SpecVault();
    await restored.put(DRIVE_A, backup);
    const next = new EngineSpec({
      events: spec.events.store,
      side: Object.assign(new MemorySideStores(), { keys: restored }),
    });
    expect(await nameBefore(next)).toBe(ERASED);
    expect([...(await restored.all(DRIVE_A)).keys()]).not.toContain(KEY);
  });

  it('that another process did is met with the event', async () => {
    const other = spec.restarted();
    expect(await nameBefore(other)).toBe('Ann Archer');
    await erase();
    // Its next append finds the event and decides again.
    await other.note();
    const drive = await other.drives.open(DRIVE_A);
    expect(drive.keyring.has(KEY)).toBe(false);
    expect(await nameBefore(other)).toBe(ERASED);
  });

  it('leaves every hash and every state as it was', async () => {
    const before = await spec.drives.loader.load(DRIVE_A, { to: 1 });
    const hash = before.folded.hash.root();
    await erase();
    const after = await spec.drives.loader.load(DRIVE_A, { to: 1, verify: true });
    expect(after.folded.hash.root()).toBe(hash);
    await spec.drives.loader.load(DRIVE_A, { to: Infinity, verify: true });
  });

  it('is known to past states that move on', async () => {
    await erase();
    const past = async (revision: number) =>
      spec.drives.past_states.read(DRIVE_A, revision, ({ folded }) =>
        folded.state.subjects.toJSON(),
      );
    const erased = await past(2);
    expect(erased).toEqual({ deleted: [[KEY, [ANN]]], erased: [[KEY, 2]] });
    await spec.note();
    await spec.note();
    expect(await past(3)).toEqual(erased);
  });

  it('is known to snapshots', async () => {
    const short = new EngineSpec({ side, limits: { snapshot_every_events: 1 } });
    await short.spawn('DriveID_b');
    const where = { drive_id: 'DriveID_b' };
    const created = (key: string) => ({
      id: ANN,
      name: 'Ann',
      fresh: { subject_key_id: key, invite_id: `GroupInviteID_${key}`, code: '', code_digest: '' },
    });
    await short.run(contactCommands.CreateContact, created('subject-1'), where);
    await short.run(contactCommands.EraseContact, { id: ANN }, where);
    await short.run(contactCommands.CreateContact, created('subject-2'), where);
    await short.run(contactCommands.DeleteContact, { id: ANN }, where);
    await short.run(contactCommands.CreateContact, created('subject-3'), where);
    await short.drives.close();
    const next = new EngineSpec({ side, events: short.events.store });
    const { folded, snapshot_revision } = await next.drives.loader.load('DriveID_b', {
      to: Infinity,
    });
    expect(snapshot_revision).not.toBeNull();
    expect([...folded.state.subjects.erasedKeys()]).toEqual(['subject-1']);
    vault.destroyed.length = 0;
    await next.run(contactCommands.EraseContact, { id: ANN }, where);
    expect(vault.destroyed.toSorted()).toEqual(['subject-2', 'subject-3']);
  });
});
