import { event, type DomainEvent } from '../../domain/foundation/events.js';
import canonicalize from 'canonicalize';
import { eventSchema, eventTypes } from '../../domain/drive/events.js';
import { Box, DRIVE_KEY_ID, ERASED } from '../../domain/kernel/sealed.js';
import { decodeData, encodeEvent } from './codec.js';
import { Keyring } from './keyring.js';

const DRIVE = 'DriveID_codec';
const contact = {
  contact_id: 'UserID_ann',
  subject_key_id: 'subject-ann',
  name: 'Ann Archer',
  avatar: '',
  email: 'ann@example.com',
  notifications_url: '',
  public_note: 'likes tea',
  private_note: '',
  evm_public_address: '',
  external_id: null,
  external_payload: null,
  from_placeholder_user_id: 'UserID_ann',
  redeem_code: 'RedeemTokenID_ann',
  redeem_digest: 'digest-of-ann',
  code_ends_on_sign_in: false,
  created_by: 'UserID_owner',
  everyone_invite_id: null,
  everyone_inviter_id: null,
};

/** What is in a stored body once every box is opened. */
function opened(data: string, keyring: Keyring): Record<string, unknown> {
  const body = decodeData(data) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, keyring.open(value, name)]),
  );
}

describe('encoding events', () => {
  let keyring: Keyring;
  beforeEach(() => {
    keyring = new Keyring(DRIVE, new Map());
  });

  it('comes back as it was', () => {
    const { type, version, data } = encodeEvent(event('ContactCreated', contact), keyring);
    expect([type, version]).toEqual(['ContactCreated', 2]);
    expect(opened(data, keyring)).toEqual(contact);
  });

  it('is canonical JSON', () => {
    const { data } = encodeEvent(event('ContactCreated', contact), keyring);
    expect(canonicalize(JSON.parse(data))).toBe(data);
  });

  it('seals secrets under the drive’s key and personal fields under the subject’s, one box each', () => {
    const { data } = encodeEvent(event('ContactCreated', contact), keyring);
    const { $sealed } = JSON.parse(data) as { $sealed: { key: string; fields: string[] }[] };
    expect($sealed.map(({ key, fields }) => [key, fields])).toEqual([
      [DRIVE_KEY_ID, ['redeem_code']],
      ['subject-ann', ['email', 'name', 'public_note']],
    ]);
    const body = decodeData(data) as Record<string, unknown>;
    expect(body.name).toBe(body.email);
    expect(body.name).not.toBe(body.redeem_code);
  });

  it('leaves no secret and nothing personal in clear', () => {
    const { data } = encodeEvent(event('ContactCreated', contact), keyring);
    // Whole values only: a short piece turns up by chance in the base64 of a random box.
    for (const clear of [contact.name, contact.email, contact.public_note, contact.redeem_code]) {
      expect(data).not.toContain(clear);
      expect(data).not.toContain(Buffer.from(clear).toString('base64').slice(0, -4));
    }
    expect(data).toContain('UserID_ann');
  });

  it('leaves empty values as they are, so that empty needs no key', () => {
    const { data } = encodeEvent(
      event('ContactUpdated', {
        contact_id: 'UserID_ann',
        subject_key_id: 'subject-ann',
        name: '',
        public_note: '',
      }),
      keyring,
    );
    expect(JSON.parse(data)).not.toHaveProperty('$sealed');
    expect(keyring.unsaved.size).toBe(0);
  });

  it('seals what is falsy but not empty', () => {
    const grant = { metadata: { 'is held': false } };
    const { data } = encodeEvent(
      event('DirectoryPermissionUpdated', { permission_id: 'DirectoryPermissionID_1', ...grant }),
      keyring,
    );
    expect(data).not.toContain('is held');
    expect(opened(data, keyring)).toMatchObject(grant);
  });

  it('leaves a personal field in clear where there is no subject', () => {
    const key = { api_key_id: 'ApiKeyID_1', user_id: 'UserID_a', created_by: null, digest: 'd' };
    const rest = { last4: 'last', private_note: null, begins_at: 0, expires_at: -1 };
    const external = { external_id: null, external_payload: null };
    const made = (subject_key_id: string | null) =>
      encodeEvent(
        event('ApiKeyCreated', { ...key, ...rest, ...external, name: 'CI key', subject_key_id }),
        keyring,
      ).data;
    expect(made(null)).toContain('CI key');
    expect(made('subject-ann')).not.toContain('CI key');
  });

  it('leaves out undefined members, so that the live body equals the stored one', () => {
    const { data } = encodeEvent(
      event('GroupUpdated', { group_id: 'GroupID_1', name: undefined as unknown as string }),
      keyring,
    );
    expect(decodeData(data)).toEqual({ group_id: 'GroupID_1' });
  });

  it('makes another box of the same text each time', () => {
    const once = encodeEvent(event('ContactCreated', contact), keyring).data;
    expect(encodeEvent(event('ContactCreated', contact), keyring).data).not.toBe(once);
  });

  it('refuses to seal twice', () => {
    const name = new Box('subject-ann', 'box');
    expect(() => encodeEvent(event('ContactCreated', { ...contact, name }), keyring)).toThrow(
      'sealed already',
    );
  });

  it('refuses an event that nobody has declared', () => {
    const unknown = { type: 'Undeclared', data: {} } as unknown as DomainEvent;
    expect(() => encodeEvent(unknown, keyring)).toThrow('no schema');
  });

  it('refuses what canonical JSON has no form for', () => {
    const bad = (payload: unknown) =>
      event('InboxNotified', { inbox_notif_id: 'n', topic: null, payload });
    expect(() => encodeEvent(bad('\ud800'), keyring)).toThrow('surrogate');
    expect(() => encodeEvent(bad(Number.NaN), keyring)).toThrow('NaN');
  });

  it('honours every mark of every event type', () => {
    for (const type of eventTypes()) {
      const { secret = [], personal = [] } = eventSchema(type)!;
      const marked = [...secret, ...personal];
      const data = Object.fromEntries(marked.map((name) => [name, `clear-${name}`]));
      const domain_event = { type, data: { ...data, subject_key_id: 'subject' } };
      const encoded = encodeEvent(domain_event as unknown as DomainEvent, keyring);
      expect(encoded.data).not.toContain('clear-');
      expect(opened(encoded.data, keyring)).toEqual(domain_event.data);
    }
  });

  it('opens to "[erased]" without the subject’s key, secrets of the drive still open', () => {
    const { data } = encodeEvent(event('ContactCreated', contact), keyring);
    keyring.forget(['subject-ann']);
    expect(opened(data, keyring)).toEqual({
      ...contact,
      name: ERASED,
      email: ERASED,
      public_note: ERASED,
    });
  });
});
