import type { Caller } from './caller.js';
import { ADMINISTRATOR, ASSISTANT, CFO, COUNSEL, HEAD_OF_SALES, OWNER } from './company.js';
import type { Ids, Organization } from './organization.js';

/** Something that happens on a day of the demo. */
interface Event {
  /** Days since the first one. */
  readonly day: number;
  /** UTC. */
  readonly time: string;
  happen(): Promise<unknown>;
}

/** Ids of the records that the story is about. */
export interface Leak {
  readonly term_sheet: string;
  readonly folder: string;
  readonly advisers: string;
  /** The invite by which the head of sales got into the group, deleted since. */
  readonly invite: string;
}

/**
 * The leak: on day 128 a newspaper prints the second version of a term sheet. Until then the board and the advisers
 * could read it, and for six days the head of sales, whom an assistant had let into the advisers' group. Nobody sees
 * that in the present: the invite is gone.
 */
export function leakStory(
  organization: Organization,
  ids: Ids,
): { leak: Leak; events: readonly Event[] } {
  const { people, disk_id, board_folder } = organization;
  const person = (name: string): Caller => people.get(name)!;
  const [owner, cfo] = [person(OWNER), person(CFO)];
  const [assistant, administrator] = [person(ASSISTANT), person(ADMINISTRATOR)];
  const leak: Leak = {
    term_sheet: ids.next('FileID_'),
    folder: ids.next('FolderID_'),
    advisers: ids.next('GroupID_'),
    invite: ids.next('GroupInviteID_'),
  };
  const other_invites = new Map(COUNSEL.map((name) => [name, ids.next('GroupInviteID_')]));
  const administrators_grant = ids.next('DirectoryPermissionID_');
  const place = { disk_id, parent_folder_uuid: leak.folder };
  const invite = (by: Caller, id: string, invitee_id: string, note: string): Promise<unknown> =>
    by.post('groups/invites/create', {
      ...{ id, group_id: leak.advisers, invitee_id, role: 'MEMBER', note },
    });
  const grant = (by: Caller, id: string, granted_to: string, more: object): Promise<unknown> =>
    by.post('permissions/directory/create', {
      ...{ id, resource_id: leak.folder, granted_to, inheritable: true, ...more },
    });
  const bookmark = (name: string, note: string): Promise<unknown> =>
    owner.post('organization/bookmarks', { name, note });

  const events: Event[] = [];
  const at = (day: number, time: string, happen: Event['happen']): void =>
    void events.push({ day, time, happen });
  at(40, '15:00', () => bookmark('budget-approved', 'Board meeting'));
  at(70, '09:00', () => bookmark('audit-begins', 'The auditors start in Finance'));
  at(90, '08:30', async () => {
    await owner.act('CREATE_FOLDER', {
      ...{ id: leak.folder, name: 'Project Heron', disk_id, parent_folder_uuid: board_folder },
      has_sovereign_permissions: true,
    });
    await grant(owner, ids.next('DirectoryPermissionID_'), organization.groups.get('Board')!, {
      permission_types: ['VIEW', 'UPLOAD', 'EDIT', 'MANAGE'],
    });
    await grant(owner, administrators_grant, administrator.user_id, {
      permission_types: ['VIEW', 'MANAGE'],
      note: 'To set up the folder',
    });
    for (const [name, text] of [
      ['valuation.csv', 'year,revenue\n1,118\n2,131\n3,149\n'],
      ['board-memo.md', 'Project Heron: sale of the sonar business. Confidential.\n'],
    ] as const) {
      const id = ids.next('FileID_');
      await owner.act('CREATE_FILE', { id, name, file_size: 0, ...place });
      await owner.upload(id, text);
    }
  });
  at(92, '16:20', () =>
    owner.post('permissions/directory/delete', { permission_id: administrators_grant }),
  );
  at(95, '10:05', async () => {
    await owner.post('groups/create', {
      ...{ id: leak.advisers, name: 'Heron Advisers', private_note: 'For Project Heron only' },
    });
    await invite(owner, ids.next('GroupInviteID_'), cfo.user_id, 'Leads the project');
    await grant(cfo, ids.next('DirectoryPermissionID_'), leak.advisers, {
      permission_types: ['VIEW'],
      note: 'Advisers read, never edit',
    });
  });
  at(97, '11:00', async () => {
    for (const [name, id] of other_invites)
      await invite(owner, id, person(name).user_id, 'External counsel');
    await cfo.act('CREATE_FILE', {
      ...{ id: leak.term_sheet, name: 'term-sheet.md', file_size: 0, ...place },
    });
    await cfo.upload(leak.term_sheet, 'Term sheet, first draft\nPrice: to be agreed\n');
  });
  at(104, '14:10', () =>
    owner.post(
      'permissions/system/create',
      {
        id: ids.next('SystemPermissionID_'),
        resource_id: leak.advisers,
        granted_to: assistant.user_id,
        permission_types: ['VIEW', 'INVITE'],
        note: 'Arranges the access of advisers',
      },
      'Henrik is travelling',
    ),
  );
  at(112, '09:15', () =>
    owner.post('groups/invites/delete', { id: other_invites.get(COUNSEL[1])! }, 'Mandate ended'),
  );
  at(117, '17:45', () =>
    cfo.upload(leak.term_sheet, 'Term sheet, second draft\nPrice: 41 million, cash\n'),
  );
  at(118, '19:42', () =>
    invite(assistant, leak.invite, person(HEAD_OF_SALES).user_id, 'Needs the figures for Thursday'),
  );
  at(124, '07:31', () => assistant.post('groups/invites/delete', { id: leak.invite }));
  at(128, '06:00', () => bookmark('leak-published', 'A newspaper prints the second draft'));
  at(150, '12:00', () => bookmark('heron-signed', 'The sale is signed'));
  return { leak, events };
}
