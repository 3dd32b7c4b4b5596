import { event } from '../foundation/events.js';
import { evolve } from '../drive/evolve.js';
import { contacted, invited, keyed, superswapped } from '../groups/testing/events.js';
import { Box } from '../kernel/sealed.js';
import type { UndoneChanges } from '../kernel/undo-log.js';
import { EVERYONE, OWNER, SpecDrive } from '../testing/drive.js';
import { contactCommands } from './commands.js';

const { DeleteContact, EraseContact } = contactCommands;
const BOB = 'UserID_bob';
const KEY = `subject-${BOB}`;

const erase = (drive: SpecDrive, id = BOB) => drive.when(EraseContact, OWNER, { id });
const deleted = (contact_id: string) => event('ContactDeleted', { contact_id });

describe('EraseContact', () => {
  it('deletes a contact as DeleteContact does, and names its key', () => {
    const [one, other] = [0, 1].map(() =>
      new SpecDrive().given(
        contacted(BOB),
        invited('GroupInviteID_b', EVERYONE, BOB),
        keyed('ApiKeyID_b', BOB, 'digest'),
      ),
    );
    const { events, answer, allowed_by } = erase(one!);
    expect(events).toEqual([
      event('ContactErased', { contact_id: BOB, contact_ids: [BOB], subject_key_ids: [KEY] }),
    ]);
    expect(answer).toEqual({ id: BOB, deleted: true, erased: true });
    expect(allowed_by).toEqual(['OWNER']);
    other!.when(DeleteContact, OWNER, { id: BOB });
    for (const { definition } of other!.state.tables)
      expect([...one!.state.table(definition.name)!.ids()]).toEqual([
        ...other!.state.table(definition.name)!.ids(),
      ]);
    expect([...one!.state.subjects.erasedKeys()]).toEqual([KEY]);
  });

  it('is allowed only to the owner, and not for the owner’s own contact', () => {
    const drive = new SpecDrive().given(contacted(BOB));
    expect(drive.when(EraseContact, BOB, { id: BOB }).refusal).toBe('forbidden');
    expect(erase(drive, OWNER).refusal).toBe('owner-contact-undeletable');
    expect(erase(drive, 'UserID_nobody').refusal).toBe('contact-not-found');
  });

  it('erases contacts that were deleted or superswapped earlier, by any of their ids', () => {
    for (const id of [BOB, 'UserID_b2', 'UserID_b3']) {
      const swaps = [
        contacted(BOB),
        superswapped(BOB, 'UserID_b2'),
        superswapped('UserID_b2', 'UserID_b3'),
      ];
      const live = erase(new SpecDrive().given(...swaps), id);
      expect(live.events[0]!.data).toMatchObject({
        contact_ids: ['UserID_b3'],
        subject_key_ids: [KEY],
      });
      const gone = erase(new SpecDrive().given(...swaps, deleted('UserID_b3')), id);
      expect(gone.events[0]!.data).toMatchObject({ contact_ids: [], subject_key_ids: [KEY] });
    }
  });

  it('erases all keys of a contact that was deleted and created again', () => {
    const again = { subject_key_id: 'subject-again' };
    const drive = new SpecDrive().given(contacted(BOB), deleted(BOB), contacted(BOB, again));
    expect(erase(drive).events[0]!.data).toMatchObject({
      contact_ids: [BOB],
      subject_key_ids: ['subject-again', KEY],
    });
  });

  it('keeps a contact whose id a superswap once connected with the erased one', () => {
    const past = [contacted(BOB), superswapped(BOB, 'UserID_b2'), deleted('UserID_b2')];
    const drive = new SpecDrive().given(
      ...past,
      contacted(BOB, { subject_key_id: 'subject-first' }),
      contacted('UserID_b2', { subject_key_id: 'subject-second' }),
    );
    expect(erase(drive, 'UserID_b2').events[0]!.data).toMatchObject({
      contact_ids: ['UserID_b2'],
      subject_key_ids: ['subject-second', KEY],
    });
    expect(drive.state.contacts.has(BOB)).toBe(true);
    expect(erase(drive).events[0]!.data).toMatchObject({
      contact_ids: [BOB],
      subject_key_ids: ['subject-first'],
    });
  });

  it.each([
    ['created', [contacted(BOB, { subject_key_id: 'subject-other' })]],
    [
      'superswapped',
      [contacted('UserID_c', { subject_key_id: 'subject-other' }), superswapped('UserID_c', BOB)],
    ],
  ])('keeps the person who was %s under a former id of a deleted one', (_, other) => {
    const past = [contacted(BOB), superswapped(BOB, 'UserID_b2'), deleted('UserID_b2')];
    const drive = new SpecDrive().given(...past, ...other);
    const { events } = erase(drive, 'UserID_b2');
    expect(events[0]!.data).toMatchObject({ contact_ids: [], subject_key_ids: [KEY] });
    expect(drive.state.contacts.get(BOB)).toMatchObject({ subject_key_id: 'subject-other' });
  });

  it('keeps the keys of other people', () => {
    const ann = contacted('UserID_ann');
    const drive = new SpecDrive().given(contacted(BOB), ann, deleted('UserID_ann'));
    expect(erase(drive).events[0]!.data).toMatchObject({ subject_key_ids: [KEY] });
  });

  it('is a no-op for an erased person, and erases again one who came back', () => {
    const drive = new SpecDrive().given(contacted(BOB));
    erase(drive);
    expect(erase(drive)).toMatchObject({ events: [], refusal: null, answer: { erased: true } });
    drive.given(contacted(BOB, { subject_key_id: 'subject-back' }));
    expect(erase(drive).events[0]!.data).toMatchObject({ subject_key_ids: ['subject-back'] });
  });

  it('is rolled back with the rest of its batch', () => {
    const { state } = new SpecDrive().given(contacted(BOB));
    const data = { contact_id: BOB, contact_ids: [BOB], subject_key_ids: [KEY] };
    const facts = { revision: 2, event_id: 'e', timestamp_ms: 5 };
    evolve(state, { ...facts, type: 'ContactErased', data });
    const erased = { deleted: [[KEY, [BOB]]], erased: [[KEY, 2]] };
    expect(state.subjects.toJSON()).toEqual(erased);
    const undone: UndoneChanges = [];
    state.undo_log.undoKeeping(0, undone);
    expect(state.contacts.has(BOB)).toBe(true);
    expect(state.subjects.toJSON()).toEqual({ deleted: [], erased: [] });
    state.undo_log.redo(undone, undone.length);
    expect(state.contacts.has(BOB)).toBe(false);
    expect(state.subjects.toJSON()).toEqual(erased);
  });

  it('counts the erased people of a state, each once', () => {
    const drive = new SpecDrive().given(contacted(BOB), deleted(BOB));
    const before = new SpecDrive();
    drive.given(contacted(BOB, { subject_key_id: 'subject-again' }), contacted('UserID_ann'));
    const { subjects } = drive.state;
    expect(subjects.erasedOf(drive.state)).toBe(0);
    erase(drive);
    erase(drive, 'UserID_ann');
    expect(subjects.erasedOf(drive.state)).toBe(2);
    expect(subjects.erasedOf(before.state)).toBe(0);
    expect(subjects.erasedOf(before.given(contacted(BOB)).state)).toBe(1);
  });

  it('touches records with data copied from the contact, so that they are shown again', () => {
    const drive = new SpecDrive().given(contacted(BOB), keyed('ApiKeyID_o', OWNER, 'digest'));
    const { state } = drive;
    const box = new Box(KEY, 'text');
    state.organizations.put({ ...state.organization, spawn_note: box });
    state.api_keys.put({ ...state.api_keys.get('ApiKeyID_o')!, name: box });
    erase(drive);
    expect(state.organization.revision).toBe(state.revision);
    expect(state.api_keys.get('ApiKeyID_o')).toMatchObject({ name: box, revision: state.revision });
  });
});
