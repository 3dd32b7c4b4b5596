import { labelReads } from '../../libs/domain/labels/reads.js';
import { groupReads } from '../../libs/domain/groups/reads.js';
import { EVERYONE, OWNER, SpecDrive } from '../../libs/domain/testing/drive.js';
import { stateSource } from '../../libs/engine/read-models/source.js';
import type { ReadScope } from '../../libs/application/read-scope.js';
import { JsonText, type ViewRule, views } from '../../libs/application/views.js';

describe('cache of shown records', () => {
  const read_scope = (presence_version: number): ReadScope => ({ presence_version }) as ReadScope;
  const page = (version: number, drive: SpecDrive, rule: ViewRule) =>
    views.page(read_scope(version), drive.context(OWNER), rule, 'first');

  it('stays valid when presence changes, unless the family shows presence', () => {
    const drive = new SpecDrive();
    const kept = new JsonText('{}');
    for (const rule of [labelReads, groupReads]) page(1, drive, rule).store(kept);
    expect(page(1, drive, groupReads).cached).toBe(kept);
    expect(page(2, drive, labelReads).cached).toBe(kept);
    expect(page(2, drive, groupReads).cached).toBeUndefined();
  });

  it('is bounded, including the ids that its viewers may see', () => {
    const drive = new SpecDrive();
    page(1, drive, labelReads).store(new JsonText('{}'));
    const many = { size: 10_000_000 } as ReadonlySet<string>;
    const rule = { family: 'labels', visible: () => [{ field: 'id', among: many }] };
    views.visible(read_scope(1), drive.context(OWNER), rule);
    expect(page(1, drive, labelReads).cached).toBeUndefined();
  });

  it('shows the latest presence of a member', () => {
    const drive = new SpecDrive();
    const text = (version: number, seen_ms: number): string => {
      const context = { ...drive.context(OWNER), lastOnline: () => seen_ms };
      const document = stateSource(drive.state, context.open).document('groups', EVERYONE)!;
      return views.show(read_scope(version), context, groupReads, document).text;
    };
    expect(text(1, 5)).toContain('"last_online_ms":5');
    expect(text(2, 7)).toContain('"last_online_ms":7');
  });
});
