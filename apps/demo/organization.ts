import { ADMINISTRATOR, BOARD, COMPANY, DEPARTMENTS, LABELS, OWNER, PEOPLE } from './company.js';
import { Caller } from './caller.js';

const ALL_TYPES = ['VIEW', 'UPLOAD', 'EDIT', 'DELETE'];

/** A folder in which the people of a department work. */
export interface Workplace {
  readonly folder_id: string;
  readonly documents: readonly string[];
  readonly people: readonly Caller[];
}

/** The organization of the demo, as it is after its first day. */
export interface Organization {
  readonly drive_id: string;
  readonly owner_id: string;
  readonly token: string;
  readonly people: ReadonlyMap<string, Caller>;
  readonly disk_id: string;
  readonly groups: ReadonlyMap<string, string>;
  readonly labels: readonly string[];
  readonly workplaces: readonly Workplace[];
  readonly board_folder: string;
}

/** Ids by kind and number, so that one seed gives the same ids. */
export class Ids {
  private readonly numbers = new Map<string, number>();

  next(prefix: string): string {
    const number = (this.numbers.get(prefix) ?? 0) + 1;
    this.numbers.set(prefix, number);
    return `${prefix}demo-${number}`;
  }
}

/** Creates the organization with its people, groups, labels and folders. */
export async function foundOrganization(
  url: string,
  seed: number,
  ids: Ids,
): Promise<Organization> {
  const secret = (name: string): string => `demo ${seed} ${name}`;
  const [, ...others] = PEOPLE;
  const answer = await fetch(`${url}/v1/factory/quickstart`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      org_name: COMPANY,
      admin: { name: OWNER, secret_entropy: secret(OWNER) },
      members: others.map((name) => ({ name, secret_entropy: secret(name) })),
    }),
  });
  if (!answer.ok) throw new Error(`quickstart: ${answer.status} ${await answer.text()}`);
  const { organization, admin, members } = ((await answer.json()) as any).ok.data;
  const { drive_id } = organization;
  const people = new Map<string, Caller>();
  for (const [nth, { user_id, api_key_value }] of [admin, ...members].entries()) {
    const name = PEOPLE[nth]!;
    people.set(name, new Caller(url, drive_id, api_key_value, user_id, name));
  }
  const owner = people.get(OWNER)!;
  const [disk] = (await owner.post('disks/list', {})).items;
  const place = { disk_id: disk.id as string };

  const groups = new Map<string, string>();
  const makeGroup = async (name: string, names: readonly string[]): Promise<void> => {
    const { id } = await owner.post('groups/create', { id: ids.next('GroupID_'), name });
    groups.set(name, id);
    for (const member of names)
      await owner.post('groups/invites/create', {
        id: ids.next('GroupInviteID_'),
        group_id: id,
        invitee_id: people.get(member)!.user_id,
        role: 'MEMBER',
      });
  };
  const makeFolder = async (
    parent_folder_uuid: string,
    name: string,
    is_confidential = false,
  ): Promise<string> => {
    const id = ids.next('FolderID_');
    const closed = is_confidential && { has_sovereign_permissions: true };
    await owner.act('CREATE_FOLDER', { id, name, parent_folder_uuid, ...place, ...closed });
    return id;
  };
  const grant = (resource_id: string, granted_to: string, permission_types: readonly string[]) =>
    owner.post('permissions/directory/create', {
      id: ids.next('DirectoryPermissionID_'),
      ...{ resource_id, granted_to, permission_types, inheritable: true },
    });

  const workplaces: Workplace[] = [];
  for (const department of DEPARTMENTS) {
    const { name, is_confidential, people: names, folders, documents } = department;
    await makeGroup(name, names);
    const folder = await makeFolder(disk.root_folder, name, is_confidential);
    await grant(folder, groups.get(name)!, ALL_TYPES);
    for (const inner of folders)
      workplaces.push({
        folder_id: await makeFolder(folder, inner),
        documents,
        people: names.map((person) => people.get(person)!),
      });
  }
  await makeGroup('Board', BOARD);
  const board_folder = await makeFolder(disk.root_folder, 'Board', true);
  await grant(board_folder, groups.get('Board')!, ALL_TYPES);

  const labels: string[] = [];
  for (const value of LABELS) {
    const id = ids.next('LabelID_');
    await owner.post('labels/create', { id, value });
    labels.push(id);
  }
  const administrator = people.get(ADMINISTRATOR)!.user_id;
  for (const table of ['CONTACTS', 'GROUPS', 'LABELS'])
    await owner.post('permissions/system/create', {
      id: ids.next('SystemPermissionID_'),
      resource_id: `TABLE_${table}`,
      granted_to: administrator,
      permission_types: ['CREATE', 'VIEW', 'EDIT', 'DELETE'],
    });
  await owner.post('permissions/system/create', {
    id: ids.next('SystemPermissionID_'),
    resource_id: 'TABLE_LABELS',
    granted_to: (await owner.post('groups/list', { filters: 'Group for All' })).items[0].id,
    permission_types: ['VIEW', 'EDIT'],
  });
  return {
    drive_id,
    owner_id: admin.user_id,
    token: admin.api_key_value,
    people,
    disk_id: disk.id,
    groups,
    labels,
    workplaces,
    board_folder,
  };
}
