import type { Client, Organization } from './client.js';
import { act, makeDisk, makeFile, makeFolder, type TestDisk } from './directory.js';
import { Planted } from './planted.js';
import { Signer } from './signer.js';

/** Somebody who asks, and the names of the planted texts that they may be shown. */
export interface Asker {
  readonly name: string;
  readonly user_id: string;
  readonly may_see: readonly string[];
  /** Signed now. */
  client(): Client;
}

/** An organization with a planted word in every hidden field, and those who must not read it. */
export interface HiddenWorld {
  readonly org: Organization;
  readonly planted: Planted;
  readonly disk: TestDisk;
  readonly askers: readonly Asker[];
  /** Ids of everything that has a planted word, by what it is. */
  readonly ids: Readonly<Record<string, string>>;
  /** Points to ask about: revisions before and after what was revoked, moved and deleted. */
  readonly revisions: readonly number[];
}

/** A time that stands nowhere else, ms. */
const HIDDEN_TIME = 4_102_446_173_951;

/**
 * Plants unique words in the names, notes, payloads and windows of records of all families. The askers:
 * - `viewer` may VIEW one file, deep in folders that it may not see;
 * - `revoked` could VIEW all of them until they were moved, renamed and taken away;
 * - `uploader` may put files into a folder that it may not VIEW;
 * - `member` may VIEW the disk's root, but not the sovereign folder in it, which it could once;
 * - `clerk` may VIEW the tables of grants, labels and webhooks, but no file and no folder;
 * - `editor` may put files into that folder, and change and delete what is there, but not VIEW it;
 * - `outsider` holds nothing at all.
 */
export async function plantHidden(org: Organization): Promise<HiddenWorld> {
  const planted = new Planted();
  const owner = org.admin;
  const ids: Record<string, string> = {};
  const revisions: number[] = [];
  const create = async (path: string, body: object): Promise<any> => {
    const { status, data, err } = await owner.post(`${path}/create`, body);
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(err)}`);
    return data;
  };
  const done = async (action: string, payload: object): Promise<void> => {
    const { error } = await act(owner, action, payload);
    if (error) throw new Error(`${action}: ${JSON.stringify(error)}`);
  };
  const note = async (): Promise<void> => {
    const { data } = await owner.post('/organization/replay', { hash: false });
    revisions.push(data.revision as number);
  };
  /** Each asker may read the grants made to it. */
  const grant = async (
    what: string,
    resource_id: string,
    { user_id: granted_to }: Signer,
    permission_types: readonly string[],
    more: object = {},
  ): Promise<void> => {
    const body = { resource_id, granted_to, permission_types, inheritable: true, ...more };
    ids[what] = (await create('/permissions/directory', body)).id;
  };
  const revoke = async (permission_id: string): Promise<void> => {
    await owner.post('/permissions/directory/delete', { permission_id });
  };

  const [viewer, revoked, uploader, member, clerk, editor, outsider] = Array.from(
    { length: 7 },
    () => new Signer(),
  );
  const disk = await makeDisk(org, { name: planted.text('disk name') });
  ids['disk'] = disk.id;
  const words = (what: string): object => ({
    notes: planted.text(`${what} notes`),
    external_id: planted.text(`${what} external id`),
    external_payload: planted.text(`${what} payload`),
  });
  const folder = async (what: string, parent: string, more: object = {}): Promise<string> => {
    const name = planted.text(`${what} name`);
    const made = { parent_folder_uuid: parent, ...words(what), ...more };
    return (ids[what] = (await makeFolder(owner, disk, name, made)).id as string);
  };
  const file = async (what: string, parent: string, more: object = {}): Promise<string> => {
    const name = planted.text(`${what} name`);
    const made = { parent_folder_uuid: parent, ...words(what), ...more };
    return (ids[what] = (await makeFile(owner, disk, name, made)).id as string);
  };

  const outer = await folder('outer folder', disk.root_folder);
  const inner = await folder('inner folder', outer);
  const seen = await file('seen file', inner);
  await file('hidden file', inner, { expires_at: HIDDEN_TIME });
  planted.known('hidden file expires_at', String(HIDDEN_TIME));
  const vault = await folder('sovereign folder', disk.root_folder, {
    has_sovereign_permissions: true,
  });
  await file('file in it', vault);
  await grant('grant of viewer', seen, viewer!, ['VIEW']);
  await grant('grant of uploader', inner, uploader!, ['UPLOAD']);
  await grant('grant of editor', inner, editor!, ['UPLOAD', 'EDIT', 'DELETE']);
  await grant('grant of member', disk.root_folder, member!, ['VIEW']);
  await grant('lost grant', outer, revoked!, ['VIEW', 'EDIT']);
  await grant('lost grant on the sovereign folder', vault, member!, ['VIEW', 'DELETE']);
  await grant('expired grant', outer, revoked!, ['VIEW'], { expiry_date_ms: 1 });
  await grant('expired grant on the sovereign folder', vault, member!, ['VIEW'], {
    expiry_date_ms: 1,
  });
  const of_table = { resource_id: 'TABLE_PERMISSIONS', granted_to: clerk!.user_id };
  await create('/permissions/system', { ...of_table, permission_types: ['VIEW'] });
  for (const table of ['TABLE_LABELS', 'TABLE_WEBHOOKS'])
    await create('/permissions/system', {
      resource_id: table,
      granted_to: clerk!.user_id,
      permission_types: ['VIEW'],
    });
  await note();

  await revoke(ids['lost grant']!);
  await revoke(ids['lost grant on the sovereign folder']!);
  await note();
  const rename = (what: string, kind: 'FILE' | 'FOLDER') =>
    done(`UPDATE_${kind}`, { id: ids[what], name: planted.text(`${what} new name`) });
  await rename('outer folder', 'FOLDER');
  await rename('sovereign folder', 'FOLDER');
  await rename('seen file', 'FILE');
  await rename('file in it', 'FILE');
  const newer = await folder('newer folder', outer);
  await done('MOVE_FILE', { id: seen, destination_folder_id: newer });
  const deleted = await file('deleted file', inner);
  await note();
  await done('DELETE_FILE', { id: deleted, permanent: true });

  ids['group'] = (await create('/groups', { name: planted.text('group name') })).id;
  const label = { value: planted.text('label value').slice(0, 40) };
  planted.known('label', label.value);
  ids['label'] = (await create('/labels', label)).id;
  // Whoever may read a grant is shown its labels.
  const pinned = { value: planted.text('grant label').slice(0, 40) };
  planted.known('label of grants', pinned.value);
  const { id: label_id } = await create('/labels', pinned);
  for (const what of [
    'grant of uploader',
    'expired grant',
    'expired grant on the sovereign folder',
  ])
    await owner.post('/labels/pin', { label_id, resource_id: ids[what], add: true });
  await done('UPDATE_FILE', { id: ids['hidden file'], labels: [label.value] });
  ids['contact'] = (
    await create('/contacts', {
      id: 'UserID_planted-contact',
      name: planted.text('contact name'),
      email: `${planted.text('contact email')}@example.com`,
      private_note: planted.text('contact note'),
    })
  ).id;
  ids['webhook'] = (
    await create('/webhooks', {
      name: planted.text('webhook name'),
      url: `https://example.com/${planted.text('webhook url')}`,
      event: 'file.created',
      alt_index: ids['hidden file'],
    })
  ).id;
  ids['permission'] = (
    await create('/permissions/system', {
      resource_id: 'TABLE_LABELS',
      granted_to: ids['group'],
      permission_types: ['VIEW'],
      note: planted.text('permission note'),
    })
  ).id;
  await owner.post('/organization/bookmarks', {
    name: 'kept',
    note: planted.text('bookmark note'),
  });
  await note();

  const asker = (name: string, signer: Signer, may_see: readonly string[] = []): Asker => ({
    name,
    user_id: signer.user_id,
    may_see,
    client: () => signer.in(org),
  });
  const of_grants = ['grant label', 'label of grants'];
  const open = (what: string): string[] =>
    ['name', 'notes', 'external id', 'payload', 'new name'].map((field) => `${what} ${field}`);
  const below_root = ['outer folder', 'inner folder', 'newer folder', 'seen file', 'hidden file'];
  return {
    org,
    planted,
    disk,
    ids,
    revisions,
    askers: [
      asker('viewer', viewer!, open('seen file')),
      asker('revoked', revoked!, of_grants),
      asker('uploader', uploader!, of_grants),
      // VIEW on the root shows everything below it that inherits, what was deleted since in its history.
      asker('member', member!, [
        ...below_root.flatMap(open),
        ...open('deleted file'),
        ...of_grants,
        'disk name',
        'hidden file expires_at',
        // The hidden file, which carries it, is not hidden from the member.
        'label',
        'label value',
      ]),
      asker('clerk', clerk!, [
        'label',
        'label value',
        'webhook name',
        'webhook url',
        'permission note',
        ...of_grants,
        // Grants are shown with the names of those whom they are for.
        'group name',
      ]),
      // It may read the grants on what it may change.
      asker('editor', editor!, of_grants),
      asker('outsider', outsider!),
    ],
  };
}
