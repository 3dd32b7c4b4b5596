import { Access } from '../access/access.js';
import { groupsOf } from '../access/principals.js';
import { recordsHeld, SYSTEM_RIGHTS } from '../access/visible.js';
import { lines, type ReadDefinition } from '../foundation/reading.js';
import { PREFIX } from '../kernel/ids.js';
import type { Group } from './record.js';
import { type GroupView, mayReadGroup, presentGroup, presentListedGroup } from './view.js';

export const groupReads: ReadDefinition<Group, GroupView> = {
  family: 'groups',
  not_found: 'group-not-found',
  when_hidden: 'forbidden',
  mayRead: (context, group) => mayReadGroup(Access.of(context), group.id),
  rests_on: SYSTEM_RIGHTS,
  visible(context) {
    const access = Access.of(context);
    if (access.can('VIEW', 'TABLE_GROUPS')) return 'all';
    const among = groupsOf(context.state, context.caller.user_id, context.now);
    for (const id of recordsHeld(access, 'VIEW', PREFIX.group)) among.add(id);
    return [{ field: 'id', among }];
  },
  present: presentGroup,
  presentInList: presentListedGroup,
  shows_presence: true,
  filter_text: (group) => lines(group.name, group.id),
  search: {
    category: 'GROUPS',
    text: (group) => lines(group.name, group.id, group.host_url),
    title: (group) => group.name,
    updated_at: (group) => group.last_modified_at,
    preview: (group) => group.host_url,
  },
};
