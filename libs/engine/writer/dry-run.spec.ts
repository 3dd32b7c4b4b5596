import { jest } from '@jest/globals';
import { apiKeyCommands } from '../../domain/api-keys/commands.js';
import { contactCommands } from '../../domain/contacts/commands.js';
import { organizationCommands } from '../../domain/organization/commands.js';
import { OWNER } from '../../domain/testing/drive.js';
import { type CommandRequest, isRefused } from './call.js';
import { DRIVE_A, EngineSpec, Note, request } from '../testing/engine.js';
import { Gate } from '../testing/faulty-events.js';

const DRY: CommandRequest = {
  ...request({ kind: 'signature', user_id: OWNER }),
  reason: 'to see',
  dry_run: true,
};

const CONTACT = {
  id: 'UserID_new',
  name: 'Nora New',
  fresh: {
    subject_key_id: 'subject-new',
    invite_id: 'GroupInviteID_new',
    code: 'RedeemTokenID_new',
    code_digest: 'digest-new',
  },
};

describe('a dry run', () => {
  let spec: EngineSpec;
  beforeEach(async () => {
    spec = new EngineSpec();
    await spec.spawn();
    spec.events.asked.length = 0;
  });
  const dry = (payload: unknown = 'tried') =>
    spec.drives.commands.run(DRIVE_A, Note, { payload }, DRY);

  it('answers what the command would, and appends nothing', async () => {
    const drive = await spec.drives.open(DRIVE_A);
    const before = { head: drive.head, hash: drive.folded.hash.root() };
    const tried = await spec.drives.commands.run(
      DRIVE_A,
      contactCommands.CreateContact,
      CONTACT,
      DRY,
    );
    expect(tried).toMatchObject({ data: { id: 'UserID_new', name: 'Nora New' }, revision: 0 });
    expect(spec.events.asked).toEqual([]);
    expect(drive.head).toBe(before.head);
    expect(drive.folded.hash.root()).toBe(before.hash);
    const done = await spec.run(contactCommands.CreateContact, CONTACT);
    const { data } = tried as { data: unknown };
    expect(done).toEqual({ data, revision: 1, record_revision: 1 });
  });

  it('tells the events it would have appended, with what each would have changed', async () => {
    const tried = await spec.drives.commands.run(
      DRIVE_A,
      contactCommands.CreateContact,
      CONTACT,
      DRY,
    );
    if (isRefused(tried)) throw new Error(tried.refusal.refusal);
    const [made] = tried.dry_run!;
    expect(made!.event).toMatchObject({ revision: 1, type: 'ContactCreated' });
    expect(JSON.parse(made!.event.metadata)).toMatchObject({ reason: 'to see' });
    expect(made!.touched).toContainEqual({ family: 'contacts', id: 'UserID_new' });
    expect(made!.body).toMatchObject({ name: 'Nora New' });
  });

  it('is refused as the command would be', async () => {
    const stranger = request({ kind: 'signature', user_id: 'UserID_stranger' });
    const asked = { allowed_domains: 'a.example' };
    const { UpdateAllowedDomains } = organizationCommands;
    const tried = await spec.drives.commands.run(DRIVE_A, UpdateAllowedDomains, asked, {
      ...stranger,
      dry_run: true,
    });
    const details = [{ pointer: '', reason: 'ownership of the organization would suffice' }];
    expect(tried).toEqual({ refusal: { refusal: 'forbidden', details }, revision: 0 });
  });

  it('is refused for more events than one append may hold', async () => {
    spec = new EngineSpec({ limits: { batch_max_bytes: 1024 } });
    await spec.spawn();
    expect(await dry('x'.repeat(1024))).toMatchObject({ refusal: { refusal: 'too-large' } });
    expect((await spec.drives.open(DRIVE_A)).state.revision).toBe(0);
  });

  it('makes no key that is stored, then or later', async () => {
    await spec.drives.commands.run(DRIVE_A, contactCommands.CreateContact, CONTACT, DRY);
    await spec.note();
    const drive = await spec.drives.open(DRIVE_A);
    expect(drive.keyring.has('subject-new')).toBe(false);
    expect([...(await spec.side.keys.all(DRIVE_A)).keys()]).not.toContain('subject-new');
  });

  it('leaves keys alone that are still to be stored', async () => {
    jest.spyOn(spec.side.keys, 'put').mockRejectedValueOnce(new Error('the disk is full'));
    await expect(spec.run(contactCommands.CreateContact, CONTACT)).rejects.toThrow('store-failed');
    const { keyring } = await spec.drives.open(DRIVE_A);
    const fresh = { ...CONTACT.fresh, subject_key_id: 'subject-tried' };
    await spec.drives.commands.run(
      DRIVE_A,
      contactCommands.CreateContact,
      { ...CONTACT, fresh },
      DRY,
    );
    expect([...keyring.unsaved.keys()]).toEqual(['subject-new']);
  });

  it('is turned away beyond as many as commands may wait, and only then', async () => {
    spec = new EngineSpec({ limits: { queue_max_commands: 2 } });
    await spec.spawn();
    const tried = await Promise.allSettled([dry(), dry(), dry()]);
    expect(tried).toMatchObject([
      { value: { revision: 0 } },
      { value: { revision: 0 } },
      { reason: { reason: 'overloaded' } },
    ]);
    expect(await dry()).toMatchObject({ revision: 0 });
  });

  it('waits for a batch in flight and is decided on what became durable', async () => {
    const gate = new Gate();
    spec.events.onAppend(gate.hold);
    const written = spec.note('first');
    await gate.reached;
    const tried = dry();
    gate.open();
    expect(await written).toEqual({ data: 1, revision: 1 });
    expect(await tried).toMatchObject({ data: 2, revision: 1 });
  });

  it('is taken back also when the answer fails', async () => {
    const broken = {
      ...apiKeyCommands.CreateApiKey,
      answer() {
        throw new Error('a bug in answer');
      },
    };
    const fresh = { api_key_id: 'ApiKeyID_a', value: 'v', digest: 'd', last4: 'last' };
    const settings = { name: 'Key', private_note: null, begins_at: 0, expires_at: -1 };
    const command = { ...settings, external_id: null, external_payload: null, fresh };
    await expect(spec.drives.commands.run(DRIVE_A, broken, command, DRY)).rejects.toThrow('a bug');
    const { state } = await spec.drives.open(DRIVE_A);
    expect([state.revision, state.api_keys.size]).toEqual([0, 0]);
  });
});
