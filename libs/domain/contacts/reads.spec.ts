import { jest } from '@jest/globals';
import {
  contacted,
  granted,
  grouped,
  invited,
  keyed,
  superswapped,
} from '../groups/testing/events.js';
import { EVERYONE, OWNER, SpecDrive, T0 } from '../testing/drive.js';
import { loginProfile } from './login.js';
import { contactReads, type ContactView, presentContact } from './reads.js';

const BOB = 'UserID_bob';

/** The contact Bob, created by Creator, with all fields set; and one holder of each permission on it. */
function people(): SpecDrive {
  return new SpecDrive().given(
    contacted(BOB, {
      name: 'Bob',
      notifications_url: 'http://n.example',
      private_note: 'secret',
      redeem_code: 'RedeemTokenID_1',
      redeem_digest: 'digest-1',
      from_placeholder_user_id: BOB,
      created_by: 'UserID_creator',
    }),
    granted('SystemPermissionID_v', 'UserID_view', BOB, 'VIEW'),
    granted('SystemPermissionID_e', 'UserID_edit', BOB, 'EDIT'),
    granted('SystemPermissionID_t', 'UserID_table', 'TABLE_CONTACTS', 'VIEW'),
  );
}

function seenBy(drive: SpecDrive, who: string, id = BOB, masked = false): ContactView {
  return presentContact({ ...drive.context(who), masked }, drive.state.contacts.get(id)!);
}

const loginSeen = (drive: SpecDrive, who: string, user_id = BOB, key_digest = 'digest-of-key') =>
  loginProfile(drive.context(who), { user_id, key_digest });

const withKeys = () =>
  people().given(
    keyed('ApiKeyID_bob', BOB, 'digest-of-key'),
    keyed('ApiKeyID_past', BOB, 'digest-of-past', { expires_at: T0 }),
    keyed('ApiKeyID_owner', OWNER, 'digest-of-owner'),
  );

describe('a login link', () => {
  it('has the addresses of now, not those with which the organization was founded', () => {
    const drive = withKeys();
    drive.settings = {
      ...drive.settings,
      host_url: 'https://moved.example',
      frontend_url: 'https://app.moved.example',
    };
    expect(loginSeen(drive, BOB)).toMatchObject({
      frontend_url: 'https://app.moved.example',
      org_host: 'https://moved.example',
      org_name: 'Spec Org',
    });
  });
});

describe('reading a contact', () => {
  it('is allowed to the contact itself and holders of VIEW, and to no other callers', () => {
    const drive = people();
    const bob = drive.state.contacts.get(BOB)!;
    const ask = (name: string) => {
      const context = drive.context(`UserID_${name}`);
      return [contactReads.mayRead(context, bob), contactReads.mayAsk!(context, BOB)];
    };
    for (const name of ['owner', 'bob', 'view', 'table']) expect(ask(name)).toEqual([true, true]);
    for (const name of ['edit', 'creator', 'nobody']) expect(ask(name)).toEqual([false, false]);
  });

  it('of an unknown id is allowed to that user and holders of VIEW on the table', () => {
    const drive = people();
    const ask = (who: string) => contactReads.mayAsk!(drive.context(who), 'UserID_unknown');
    expect([OWNER, 'UserID_table', 'UserID_unknown'].map(ask)).toEqual([true, true, true]);
    expect(['UserID_view', BOB].map(ask)).toEqual([false, false]);
  });

  it('lists all contacts to holders of VIEW on the table, otherwise the caller and contacts with VIEW', () => {
    const drive = people();
    const visible = (who: string) => contactReads.visible(drive.context(who));
    expect(visible(OWNER)).toBe('all');
    expect(visible('UserID_table')).toBe('all');
    expect(visible('UserID_view')).toEqual([{ field: 'id', among: new Set([BOB, 'UserID_view']) }]);
    expect(visible('UserID_nobody')).toEqual([{ field: 'id', among: new Set(['UserID_nobody']) }]);
  });

  it('is also allowed by public grants', () => {
    const drive = people().given(granted('SystemPermissionID_p', 'PUBLIC', BOB, 'VIEW'));
    expect(contactReads.mayAsk!(drive.context('UserID_nobody'), BOB)).toBe(true);
  });
});

describe('redaction of a contact', () => {
  it('shows the private note to the owner and holders of EDIT', () => {
    const drive = people();
    const note = (who: string) => seenBy(drive, who).private_note;
    expect([OWNER, 'UserID_edit'].map(note)).toEqual(['secret', 'secret']);
    expect([BOB, 'UserID_view', 'UserID_creator'].map(note)).toEqual(['', '', '']);
  });

  it('shows notifications, placeholder and former ids to the owner, holders of EDIT and the contact itself', () => {
    const drive = people().given(superswapped('UserID_creator', 'UserID_made'));
    const bob = drive.state.contacts.get(BOB)!;
    drive.state.contacts.put({ ...bob, past_user_ids: ['UserID_was'] });
    const shown = (who: string) => {
      const view = seenBy(drive, who);
      return [view.notifications_url, view.from_placeholder_user_id, view.past_user_ids];
    };
    for (const who of [OWNER, 'UserID_edit', BOB])
      expect(shown(who)).toEqual(['http://n.example', BOB, ['UserID_was']]);
    for (const who of ['UserID_view', 'UserID_made']) expect(shown(who)).toEqual(['', '', []]);
  });

  it('shows the code to the owner and the contact’s creator', () => {
    const drive = people();
    const code = (who: string) => seenBy(drive, who).redeem_code;
    expect([OWNER, 'UserID_creator'].map(code)).toEqual(['RedeemTokenID_1', 'RedeemTokenID_1']);
    expect([BOB, 'UserID_edit', 'UserID_view'].map(code)).toEqual(['', '', '']);
  });

  it('masks a valid code in past states, and shows an invalid one as empty', () => {
    expect(seenBy(people(), OWNER, BOB, true).redeem_code).toBe('***');
    expect(seenBy(people(), BOB, BOB, true).redeem_code).toBe('');
    expect(seenBy(people(), OWNER, OWNER, true).redeem_code).toBe('');
  });

  it('never shows secrets', () => {
    expect(seenBy(people(), OWNER)).toMatchObject({ seed_phrase: '', secret_entropy: '' });
  });
});

describe('a contact’s previews', () => {
  it('name the types held on the contact', () => {
    const drive = people();
    expect(seenBy(drive, 'UserID_table').permission_previews).toEqual(['VIEW']);
    expect(seenBy(drive, BOB).permission_previews).toEqual([]);
  });

  it('show when the contact was last seen', () => {
    const drive = people();
    const context = { ...drive.context(OWNER), lastOnline: (id: string) => (id === BOB ? 7 : 0) };
    expect(presentContact(context, drive.state.contacts.get(BOB)!).last_online_ms).toBe(7);
  });

  it('list active groups, newest first, each once with its best invite', () => {
    const drive = people().given(
      grouped('GroupID_old'),
      grouped('GroupID_new'),
      invited('GroupInviteID_m1', 'GroupID_old', BOB),
      invited('GroupInviteID_new', 'GroupID_new', BOB),
      invited('GroupInviteID_m2', 'GroupID_old', BOB),
      invited('GroupInviteID_admin', 'GroupID_old', BOB, { role: 'ADMIN' }),
      grouped('GroupID_past'),
      invited('GroupInviteID_past', 'GroupID_past', BOB, { expires_at: T0 }),
      grouped('GroupID_future'),
      invited('GroupInviteID_future', 'GroupID_future', BOB, { active_from: T0 + 1_000_000 }),
    );
    for (const who of [BOB, OWNER])
      expect(seenBy(drive, who).group_previews).toMatchObject([
        { group_id: 'GroupID_old', invite_id: 'GroupInviteID_admin', is_admin: true },
        { group_id: 'GroupID_new', invite_id: 'GroupInviteID_new', is_admin: false },
      ]);
  });

  it('prefer the oldest of equal invites', () => {
    const drive = people().given(
      invited('GroupInviteID_2', EVERYONE, BOB),
      invited('GroupInviteID_1', EVERYONE, BOB),
    );
    expect(seenBy(drive, BOB).group_previews).toMatchObject([{ invite_id: 'GroupInviteID_2' }]);
  });

  it('list groups owned without an invite, and show the owner as an admin', () => {
    const drive = people().given(
      grouped('GroupID_bobs', BOB, 'GroupInviteID_gone'),
      invited('GroupInviteID_member', 'GroupID_bobs', BOB),
    );
    drive.state.invites.remove('GroupInviteID_gone');
    expect(seenBy(drive, BOB).group_previews).toMatchObject([
      { group_id: 'GroupID_bobs', invite_id: 'GroupInviteID_member', is_admin: true },
    ]);
    drive.state.invites.remove('GroupInviteID_member');
    expect(seenBy(drive, BOB).group_previews).toEqual([
      {
        group_id: 'GroupID_bobs',
        invite_id: '',
        is_admin: true,
        group_name: 'Finance',
        group_avatar: '',
      },
    ]);
  });

  it('hide groups that the caller may not read', () => {
    const drive = people().given(
      grouped('GroupID_g'),
      invited('GroupInviteID_b', 'GroupID_g', BOB),
    );
    expect(seenBy(drive, 'UserID_table').group_previews).toEqual([]);
    drive.given(granted('SystemPermissionID_g', 'UserID_table', 'GroupID_g', 'VIEW'));
    expect(seenBy(drive, 'UserID_table').group_previews).toHaveLength(1);
  });

  it('contain at most 100 groups, and their total number', () => {
    const drive = people();
    for (let at = 0; at < 1001; at++) drive.given(grouped(`GroupID_${at}`, BOB));
    const { group_previews, group_count } = seenBy(drive, BOB);
    expect([group_previews.length, group_count]).toEqual([100, 1001]);
    expect(group_previews[0]!.group_id).toBe('GroupID_1000');
  });

  it('look at each invite of the contact a few times, whatever else its groups contain', () => {
    const lookedAt = (count: number): number => {
      const drive = people();
      for (let at = 0; at < count; at++) drive.given(grouped(`GroupID_${at}`));
      for (let at = 0; at < count ** 2; at++) {
        const who = Math.floor(at / count);
        const group_id = `GroupID_${at % count}`;
        const user_id = who === 0 ? BOB : `UserID_${who}`;
        drive.given(invited(`GroupInviteID_${at}`, group_id, user_id));
      }
      const get = jest.spyOn(drive.state.invites, 'get');
      expect(seenBy(drive, OWNER, BOB).group_count).toBe(count);
      const { length } = get.mock.calls;
      get.mockRestore();
      return length;
    };
    expect(lookedAt(80)).toBeLessThan(lookedAt(40) * 2.5);
  });
});

describe('the profile of a login link', () => {
  it('is allowed to the contact itself and to holders of EDIT on it', () => {
    for (const who of [BOB, OWNER, 'UserID_edit'])
      expect(loginSeen(withKeys(), who)).toEqual({
        frontend_url: 'http://front.example',
        org_name: 'Spec Org',
        org_id: 'DriveID_spec',
        org_host: 'http://host.example',
        profile_id: BOB,
        profile_name: 'Bob',
      });
  });

  it('is refused to others, whether the contact exists or not', () => {
    expect(loginSeen(withKeys(), 'UserID_view')).toMatchObject({ refusal: 'forbidden' });
    expect(loginSeen(withKeys(), 'UserID_view', 'UserID_x')).toMatchObject({
      refusal: 'forbidden',
    });
  });

  it('is refused for an unknown contact, an invalid key and another user’s key', () => {
    const drive = withKeys();
    expect(loginSeen(drive, OWNER, 'UserID_x')).toMatchObject({ refusal: 'contact-not-found' });
    expect(loginSeen(drive, OWNER, BOB, 'digest-x')).toMatchObject({
      refusal: 'api-key-not-found',
    });
    expect(loginSeen(drive, OWNER, BOB, 'digest-of-past')).toMatchObject({
      refusal: 'api-key-not-found',
    });
    expect(loginSeen(drive, OWNER, BOB, 'digest-of-owner')).toMatchObject({ refusal: 'forbidden' });
  });
});
