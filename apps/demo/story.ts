import { ADMINISTRATOR, ASSISTANT, CFO, COUNSEL, HEAD_OF_SALES, OWNER } from './company.js';
import type { Ids, Organization } from './organization.js';

/** Something that happens on a day of the demo. */
export interface Event {
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
  const [owner, cfo, assistant, administrator] = [OWNER, CFO, ASSISTANT, ADMINISTRATOR].map(
    (name) => people.get(name)!,
  ) as [Person, Person, Person, Person];
  const userOf = (name: string): string => people.get(name)!.user_id;
  const leak: Leak = {
    term_sheet: ids.next('FileID_'),
    folder: ids.next('FolderID_'),
    advisers: ids.next('GroupID_'),
    invite: ids.next('GroupInviteID_'),
  };
  const other_invites = new Map(COUNSEL.map((name) => [name, ids.next('GroupInviteID_')]));
  const administrators_grant = ids.next('DirectoryPermissionID_');
  const place = { disk_id, parent_folder_uuid: leak.folder };
  const invite = (by: Person, id: string, invitee_id: string, note: string): Promise<unknown> =>
    by.post('groups/invites/create', {
      ...{ id, group_id: leak.advisers, invitee_id, role: 'MEMBER', note },
    });
  const grant = (by: Person, id: string, granted_to: string, more: object): Promise<unknown> =>
    by.post('permissions/directory/create', {
      ...{ id, resource_id: leak.folder, granted_to, inheritable: true, ...more },
    });
  const bookmark = (name: string, note: string): Promise<unknown> =>
    owner.post('organization/bookmarks', { name, note });

  const events: Event[] = [
    { day: 40, time: '15:00', happen: () => bookmark('budget-approved', 'Board meeting') },
    {
      day: 70,
      time: '09:00',
      happen: () => bookmark('audit-begins', 'The auditors start in Finance'),
    },
    {
      day: 90,
      time: '08:30',
      happen: async () => {
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
      },
    },
    {
      day: 92,
      time: '16:20',
      happen: () =>
        owner.post('permissions/directory/delete', { permission_id: administrators_grant }),
    },
    {
      day: 95,
      time: '10:05',
      happen: async () => {
        await owner.post('groups/create', {
          ...{ id: leak.advisers, name: 'Heron Advisers', private_note: 'For Project Heron only' },
        });
        await invite(owner, ids.next('GroupInviteID_'), cfo.user_id, 'Leads the project');
        await grant(cfo, ids.next('DirectoryPermissionID_'), leak.advisers, {
          permission_types: ['VIEW'],
          note: 'Advisers read, never edit',
        });
      },
    },
    {
      day: 97,
      time: '11:00',
      happen: async () => {
        for (const [name, id] of other_invites)
          await invite(owner, id, userOf(name), 'External counsel');
        await cfo.act('CREATE_FILE', {
          ...{ id: leak.term_sheet, name: 'term-sheet.md', file_size: 0, ...place },
        });
        await cfo.upload(leak.term_sheet, 'Term sheet, first draft\nPrice: to be agreed\n');
      },
    },
    {
      day: 104,
      time: '14:10',
      happen: () =>
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
    },
    {
      day: 112,
      time: '09:15',
      happen: () =>
        owner.post(
          'groups/invites/delete',
          { id: other_invites.get(COUNSEL[1])! },
          'Mandate ended',
        ),
    },
    {
      day: 117,
      time: '17:45',
      happen: () =>
        cfo.upload(leak.term_sheet, 'Term sheet, second draft\nPrice: 41 million, cash\n'),
    },
    {
      day: 118,
      time: '19:42',
      happen: () =>
        invite(assistant, leak.invite, userOf(HEAD_OF_SALES), 'Needs the figures for Thursday'),
    },
    {
      day: 124,
      time: '07:31',
      happen: () => assistant.post('groups/invites/delete', { id: leak.invite }),
    },
    {
      day: 128,
      time: '06:00',
      happen: () => bookmark('leak-published', 'A newspaper prints the second draft'),
    },
    { day: 150, time: '12:00', happen: () => bookmark('heron-signed', 'The sale is signed') },
  ];
  return { leak, events };
}

type Person = NonNullable<ReturnType<Organization['people']['get']>>;
