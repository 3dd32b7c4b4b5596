import { event, type DomainEvent } from '../foundation/events.js';
import { EVERYONE, OWNER, SpecDrive } from '../testing/drive.js';
import { evolve } from './evolve.js';
import { type Actor, summarize, summaryContextOf } from './summaries.js';

const ADA: Actor = { user_id: OWNER, via: 'API_KEY' };

describe('the summary of an event', () => {
  let drive: SpecDrive;
  beforeEach(() => {
    drive = new SpecDrive();
    drive.given(
      event('MemberJoined', {
        contact_id: 'UserID_bob',
        subject_key_id: 'subject-bob',
        name: 'Bob',
        everyone_invite_id: 'GroupInviteID_bob',
        api_key_id: 'ApiKeyID_bob',
        api_key_digest: 'digest',
        api_key_last4: 'last',
      }),
    );
  });

  /** Applies one event and returns its summary. */
  const tell = ({ type, data }: DomainEvent, actor = ADA): string => {
    const { state } = drive;
    const revision = state.revision + 1;
    evolve(state, { revision, type, data, event_id: 'e', timestamp_ms: drive.now });
    const summary_context = summaryContextOf(
      drive.context(OWNER),
      actor,
      state.undo_log.changesSince(0),
    );
    state.undo_log.forget();
    return summarize(summary_context, type, data);
  };

  it('names removed records by their last name', () => {
    expect(tell(event('GroupInvitesDeleted', { invite_ids: ['GroupInviteID_bob'] }))).toBe(
      'Owner removed Bob from Group for All',
    );
    expect(tell(event('GroupDeleted', { group_id: EVERYONE }))).toBe(
      'Owner deleted the group Group for All',
    );
  });

  it('names both the former and the new name after a rename', () => {
    expect(tell(event('GroupUpdated', { group_id: EVERYONE, name: 'All' }))).toBe(
      'Owner renamed the group Group for All to All',
    );
    expect(tell(event('GroupUpdated', { group_id: EVERYONE, public_note: 'n' }))).toBe(
      'Owner changed the group All',
    );
  });

  it('names the actor, even if the event removed the actor', () => {
    const bob = { user_id: 'UserID_bob', via: 'API_KEY' };
    expect(tell(event('ContactDeleted', { contact_id: 'UserID_bob' }), bob)).toBe(
      'Bob deleted the contact Bob',
    );
    const domains = event('AllowedDomainsUpdated', { allowed_domains: '' });
    const cleared = (via: string, user_id: string | null = null) => tell(domains, { user_id, via });
    expect(cleared('SYSTEM')).toBe('The service cleared the allowed domains');
    expect(cleared('FACTORY')).toBe('The factory cleared the allowed domains');
    expect(cleared('REDEEM_CODE')).toBe('A holder of a code cleared the allowed domains');
    expect(cleared('SIGNATURE', 'UserID_x')).toBe('UserID_x cleared the allowed domains');
  });

  it('names the type of an unknown event', () => {
    const summary_context = summaryContextOf(drive.context(OWNER), ADA, []);
    expect(summarize(summary_context, 'FutureThing', {})).toBe(
      'Owner did something of the type FutureThing',
    );
  });
});
