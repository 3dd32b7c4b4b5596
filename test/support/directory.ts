import type { Client, Organization } from './client.js';

/** A disk with its folders, as a test uses it. */
export interface TestDisk {
  readonly id: string;
  readonly root_folder: string;
  readonly trash_folder: string;
}

/** Credentials of a bucket that nobody calls. */
export const BUCKET = {
  endpoint: 'https://s3.example.com',
  access_key: 'AKIAEXAMPLE',
  secret_key: 'wJalrXUtnFEMIexamplekey',
  bucket: 'content',
  region: 'eu-central-1',
};

export async function makeDisk(org: Organization, more: object = {}): Promise<TestDisk> {
  const body = { name: 'Disk', disk_type: 'LOCAL_SSD', ...more };
  return (await org.admin.post('/disks/create', body)).data as TestDisk;
}

/** Makes a disk on which only administrators have permissions: without the grants of "Group for All" on its root. */
export async function makeClosedDisk(org: Organization): Promise<TestDisk> {
  const { admin } = org;
  const disk = await makeDisk(org);
  const { data } = await admin.post('/permissions/directory/list', {
    filters: { resource_id: disk.root_folder },
  });
  for (const { id: permission_id } of data.items)
    await admin.post('/permissions/directory/delete', { permission_id });
  return disk;
}

/** The response of one outcome: `result` or `error`. */
export interface ActionResponse {
  readonly result: any;
  readonly error: any;
}

/** Runs one action. */
export async function act(
  client: Client,
  action: string,
  payload: object,
): Promise<ActionResponse> {
  const { body } = await client.post('/directory/action', { actions: [{ action, payload }] });
  return body[0].response as ActionResponse;
}

/** Makes a folder and gives its record. */
export async function makeFolder(
  client: Client,
  disk: TestDisk,
  name: string,
  more: object = {},
): Promise<any> {
  const place = { parent_folder_uuid: disk.root_folder, disk_id: disk.id };
  const { result, error } = await act(client, 'CREATE_FOLDER', { name, ...place, ...more });
  if (error) throw new Error(`${name}: ${error.message}`);
  return result.folder;
}

/** Makes a file and gives its record. */
export async function makeFile(
  client: Client,
  disk: TestDisk,
  name: string,
  more: object = {},
): Promise<any> {
  const place = { parent_folder_uuid: disk.root_folder, disk_id: disk.id, file_size: 1 };
  const { result, error } = await act(client, 'CREATE_FILE', { name, ...place, ...more });
  if (error) throw new Error(`${name}: ${error.message}`);
  return result.file;
}
