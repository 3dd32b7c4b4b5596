import { contactCommands } from '../../domain/contacts/commands.js';
import { DRIVE_KEY_ID } from '../../domain/kernel/sealed.js';
import { KeyDoesNotOpen, type KeyVault } from '../../event-store/stores.js';
import { missingKeysText } from '../keys/recorded-keys.js';
import { DRIVE_A, EngineSpec } from '../testing/engine.js';
import { examineStores } from './examine.js';
import { verifyFolder } from './folder.js';

describe('keys that are missing', () => {
  let keys: KeyVault;
  let spec: EngineSpec;

  beforeEach(async () => {
    spec = new EngineSpec();
    ({ keys } = spec.side);
    await spec.spawn();
    for (const name of ['ann', 'ben'])
      await spec.run(contactCommands.CreateContact, {
        id: `UserID_${name}`,
        name,
        fresh: {
          subject_key_id: `subject-${name}`,
          invite_id: `GroupInviteID_${name}`,
          code: '',
          code_digest: '',
        },
      });
  });

  const verified = async () => {
    const { events, side } = spec;
    const reports = verifyFolder({ events: events.store, side, drive_ids: [DRIVE_A] });
    for await (const { valid, reason, is_without_keys } of reports)
      return { valid, reason, is_without_keys };
    throw new Error('there is no report');
  };
  const examined = async (): Promise<string[]> => {
    const { side } = spec;
    const input = { events: spec.events.store, side, documents: null, clock: () => spec.now };
    const found: string[] = [];
    for await (const { check, state, says } of examineStores(input))
      if (check === 'keys') found.push(`${state} ${says}`);
    return found;
  };
  const fine = { valid: true, reason: null, is_without_keys: false };

  it('are no flaw if their people were erased', async () => {
    expect(await verified()).toEqual(fine);
    await spec.run(contactCommands.EraseContact, { id: 'UserID_ann' });
    expect(await keys.get(DRIVE_A, 'subject-ann')).toBeNull();
    expect(await verified()).toEqual(fine);
    expect(await examined()).toEqual([]);
  });

  it('are counted otherwise', async () => {
    await spec.run(contactCommands.EraseContact, { id: 'UserID_ann' });
    await keys.destroy(DRIVE_A, ['subject-ben']);
    const reason = missingKeysText(1);
    expect(await verified()).toEqual({ valid: false, reason, is_without_keys: false });
    expect(await examined()).toEqual([`warn ${DRIVE_A}: ${reason}`]);
  });

  it('may be of a person who is erased while they are counted', async () => {
    const all = keys.all.bind(keys);
    keys.all = async (drive_id) => {
      await spec.run(contactCommands.EraseContact, { id: 'UserID_ann' });
      return all(drive_id);
    };
    expect(await examined()).toEqual([]);
  });

  it('may be all of them, after an import without keys', async () => {
    await keys.destroy(DRIVE_A, [DRIVE_KEY_ID, 'subject-owner', 'subject-ann', 'subject-ben']);
    expect(await verified()).toEqual({ ...fine, is_without_keys: true });
    expect(await examined()).toEqual([
      `warn ${DRIVE_A} has no keys: it was imported without them, or they are lost. It can only be read.`,
    ]);
  });

  it('are reported if they are there again after an erasure', async () => {
    const backup = await keys.all(DRIVE_A);
    await spec.run(contactCommands.EraseContact, { id: 'UserID_ann' });
    keys.all = async () => backup;
    const [found, ...more] = await examined();
    expect(found).toContain(`warn ${DRIVE_A}: 1 keys of erased people are stored again`);
    expect(more).toEqual([]);
  });

  it('may be damaged: the others are examined, and the organization is not served', async () => {
    await spec.spawn('DriveID_b');
    const all = keys.all.bind(keys);
    const error = new KeyDoesNotOpen('key subject-ann of drive DriveID_a does not open');
    keys.all = async (drive_id) => (drive_id === DRIVE_A ? Promise.reject(error) : all(drive_id));
    expect(await examined()).toEqual([
      `bad ${DRIVE_A} is not served: ${error.message}. Restore the keys from a backup.`,
    ]);
    const later = spec.restarted();
    await expect(later.group('New')).rejects.toMatchObject({ reason: 'broken' });
    expect([...later.drives.damaged.all()]).toMatchObject([{ drive_id: DRIVE_A, kind: 'broken' }]);
    expect(await later.group('New', undefined, { drive_id: 'DriveID_b' })).toHaveProperty('data');
  });
});
