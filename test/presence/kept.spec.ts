import { contactReads } from '../../libs/domain/contacts/reads.js';
import { contacted, grouped, invited } from '../../libs/domain/groups/testing/events.js';
import { labelReads } from '../../libs/domain/labels/reads.js';
import { groupReads } from '../../libs/domain/groups/reads.js';
import { EVERYONE, OWNER, SpecDrive } from '../../libs/domain/testing/drive.js';
import { stateSource } from '../../libs/engine/read-models/source.js';
import { Presence } from '../../libs/engine/read-models/presence.js';
import type { ReadScope } from '../../libs/application/read-scope.js';
import { JsonText, type ViewRule, Views, views } from '../../libs/application/views.js';

const BOB = 'UserID_bob';
const GROUP = 'GroupID_1';
const OTHER = 'GroupID_2';

describe('cache of shown records', () => {
  const presence = new Presence(new Map(), 0);
  let now = 0;
  /** The user is seen again. */
  const see = (user_id: string): void => presence.touch(user_id, (now += 60_000));
  const SCOPE = { presence } as unknown as ReadScope;
  const page = (drive: SpecDrive, rule: ViewRule) =>
    views.page(SCOPE, drive.context(OWNER), rule, 'first');

  it('stays valid when users are seen, unless it may show them', () => {
    const drive = new SpecDrive().given(contacted(BOB), grouped(GROUP), grouped(OTHER));
    drive.given(invited('GroupInviteID_1', GROUP, BOB));
    const kept = new JsonText('{}');
    const store = (): void => {
      page(drive, labelReads).store(kept);
      page(drive, groupReads).store(kept, [OTHER]);
      page(drive, contactReads).store(kept);
    };
    const cached = () =>
      [labelReads, groupReads, contactReads].map((rule) => page(drive, rule).cached);
    store();
    expect(cached()).toEqual([kept, kept, kept]);
    see(BOB);
    // Nobody knows what is on the page of contacts.
    expect(cached()).toEqual([kept, kept, undefined]);
    page(drive, groupReads).store(kept, [OTHER, GROUP]);
    see(BOB);
    expect(cached()).toEqual([kept, undefined, undefined]);
    store();
    for (let nth = 0; nth < 300; nth++) see(`UserID_${nth}`);
    expect(cached()).toEqual([kept, undefined, undefined]);
  });

  it('is made anew only for the groups of a user who is seen', () => {
    const drive = new SpecDrive().given(contacted(BOB), grouped(GROUP), grouped(OTHER));
    drive.given(invited('GroupInviteID_1', GROUP, BOB));
    const context = { ...drive.context(OWNER), lastOnline: presence.lastOnline };
    const shown = () =>
      [GROUP, OTHER].map((id) =>
        views
          .of(SCOPE, context, groupReads)
          .show(context, stateSource(drive.state, context.open).document('groups', id)!),
      );
    const [group, other] = shown();
    see(BOB);
    const [group_again, other_again] = shown();
    expect(other_again).toBe(other);
    expect(group_again).not.toBe(group);
    expect(group_again!.text).toContain(`"last_online_ms":${now}`);
  });

  it('is bounded, including the ids that its viewers may see', () => {
    const drive = new SpecDrive();
    page(drive, labelReads).store(new JsonText('{}'));
    const many = { size: 10_000_000 } as ReadonlySet<string>;
    const rule = { ...labelReads, visible: () => [{ field: 'id', among: many }] };
    const context = drive.context(OWNER);
    views.of(SCOPE, context, rule).visible(context);
    expect(page(drive, labelReads).cached).toBeUndefined();
  });

  it('looks for few groups of a user who is seen, and is cleared instead', () => {
    const looked: string[] = [];
    const rule: ViewRule = {
      ...groupReads,
      *shows_presence() {
        for (let nth = 0; ; nth++) {
          looked.push(`GroupID_${nth}`);
          yield `GroupID_${nth}`;
        }
      },
    };
    const drive = new SpecDrive();
    const kept = new JsonText('{}');
    page(drive, rule).store(kept, [OTHER]);
    expect(page(drive, rule).cached).toBe(kept);
    see(BOB);
    expect(page(drive, rule).cached).toBeUndefined();
    expect(looked.length).toBeLessThanOrEqual(1001);
  });

  it('keeps the latest records of a viewer who reads more than there is room for', () => {
    const few = new Views();
    few.most_bytes = 100_000;
    const ids = Array.from({ length: 400 }, (_, nth) => `GroupID_n${nth}`);
    const drive = new SpecDrive().given(...ids.map((id) => grouped(id)));
    const context = drive.context(OWNER);
    const source = stateSource(drive.state, context.open);
    const view = () => few.of(SCOPE, context, groupReads);
    const known = (id: string) => view().known(id);
    for (const id of ids) view().show(context, source.document('groups', id)!);
    const kept = ids.filter((id) => known(id));
    expect(kept).toEqual(ids.slice(-kept.length));
    const bytes = kept.reduce((sum, id) => sum + known(id)!.text.length, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(100_000);
    expect(known(ids[0]!)).toBeUndefined();
  });

  it('shows the latest presence of a member', () => {
    const drive = new SpecDrive();
    const text = (): string => {
      const context = { ...drive.context(OWNER), lastOnline: presence.lastOnline };
      const document = stateSource(drive.state, context.open).document('groups', EVERYONE)!;
      return views.of(SCOPE, context, groupReads).show(context, document).text;
    };
    for (let time = 0; time < 2; time++) {
      see(OWNER);
      expect(text()).toContain(`"last_online_ms":${now}`);
    }
  });
});
