import { type DirectoryPage, ListDirectory } from '../../../libs/application/directory/list.js';
import { PUBLIC } from '../../../libs/domain/kernel/ids.js';
import type { PointRequest } from '../../../libs/engine/past/points.js';
import { EXIT, Failure, Refused } from '../failure.js';
import { theOne } from '../organizations.js';
import { allRecordsAt, LARGEST_PAGE, recordsAt, type ShownRecord } from '../records.js';
import type { Question, Source } from '../source.js';

const ID = /^[A-Za-z]+ID_/;
const TABLE = /^TABLE_/;
/** `/Reports` or `Main:/Reports`. */
const PATH = /^(?:([^/]+?):)?(\/.*)$/;

const LISTING: Question<ConstructorParameters<typeof ListDirectory>[1], DirectoryPage> = {
  path: 'directory/list',
  query: ListDirectory,
  body: ({ place, ...rest }) => ({ ...place, ...rest }),
};

/** The id given by `--who`: an id, or the name of exactly one user or group at the point. @throws Failure */
export async function granteeOf(source: Source, point: PointRequest, who: string): Promise<string> {
  if (who === PUBLIC || ID.test(who)) return who;
  const none = 'is neither an id nor the name of a user or a group at this point';
  return theOne('--who', who, await named(source, point, ['contacts', 'groups'], who), none);
}

/**
 * The id given by `--resource`: an id, the path of a folder or file, or the name of exactly one group, disk or user
 * at the point. @throws Failure
 */
export async function resourceOf(
  source: Source,
  point: PointRequest,
  resource: string,
): Promise<string> {
  if (ID.test(resource) || TABLE.test(resource)) return resource;
  const [, disk, path] = PATH.exec(resource) ?? [];
  if (path !== undefined) return atPath(source, point, resource, disk, path);
  const none = 'is neither an id, a path nor the name of a group, a disk or a user at this point';
  const found = await named(source, point, ['groups', 'disks', 'contacts'], resource);
  return theOne('--resource', resource, found, none);
}

async function named(
  source: Source,
  point: PointRequest,
  families: readonly string[],
  name: string,
): Promise<ShownRecord[]> {
  const found: ShownRecord[] = [];
  for (const family of families)
    for await (const record of allRecordsAt(source, point, family))
      if (isNamed(record, name)) found.push(record);
  return found;
}

function isNamed(record: ShownRecord, name: string): boolean {
  return record.name?.toLowerCase() === name.toLowerCase();
}

async function atPath(
  source: Source,
  point: PointRequest,
  written: string,
  disk: string | undefined,
  path: string,
): Promise<string> {
  const { records } = await recordsAt(source, point, ['disks']);
  const disks = disk === undefined ? records : records.filter((one) => isNamed(one, disk));
  const none = 'names no disk at this point; write a path as Disk:/folder/file';
  const several = records.length > 1 && disk === undefined;
  if (several)
    throw new Failure(
      `--resource ${written}: there are several disks; name one, as in ${records[0]!.name}:${path}.`,
      EXIT.refused,
    );
  const disk_id = theOne('--resource', written, disks, none);
  const [parent, name] = [path.slice(0, path.lastIndexOf('/') + 1), path.split('/').at(-1)!];
  try {
    const { breadcrumbs } = await listed(source, point, `${disk_id}::${path}`, '');
    return breadcrumbs.at(-1)!.resource_id;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
  // It is not a folder.
  const { files } = await listed(source, point, `${disk_id}::${parent}`, name).catch(
    (error: unknown) => {
      if (error instanceof Refused) return { files: [] };
      throw error;
    },
  );
  const same = files.filter((file) => file.name === name);
  return theOne('--resource', written, same, 'names no folder or file at this point');
}

function listed(
  source: Source,
  point: PointRequest,
  path: string,
  filters: string,
): Promise<DirectoryPage> {
  const page = { page_size: LARGEST_PAGE, direction: 'ASC' as const };
  return source.ask(LISTING, { place: { path }, filters, ...page }, point);
}
