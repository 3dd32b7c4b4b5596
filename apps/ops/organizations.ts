import { describeOrganizations } from '../../libs/application/factory/organizations.js';
import type { Drives } from '../../libs/engine/drives/drives.js';
import { FACTORY_ID } from '../../libs/engine/fold/fold.js';
import { EXIT, Failure } from './failure.js';

/**
 * The id given by `--drive`: an id, or the name of exactly one organization.
 * @throws Failure
 */
export async function driveIdOf(drives: Drives, drive: string): Promise<string> {
  const [id] = await driveIdsOf(drives, [drive]);
  return id!;
}

/** The same for several, in order. @throws Failure */
export async function driveIdsOf(drives: Drives, given: readonly string[]): Promise<string[]> {
  if (given.every(isId)) return [...new Set(given)];
  const all = await Array.fromAsync(describeOrganizations(drives));
  const ids = given.map((text) => {
    if (isId(text)) return text;
    const same = all.filter(({ name }) => name.toLowerCase() === text.toLowerCase());
    return theOne('--drive', text, same, 'is not an organization here; `ops orgs` lists them');
  });
  return [...new Set(ids)];
}

/** @throws Failure if there is no such organization */
export async function expectDrive(drives: Drives, drive_id: string): Promise<void> {
  if (!(await drives.exists(drive_id)))
    throw new Failure(`There is no organization ${drive_id}.`, EXIT.refused);
}

function isId(text: string): boolean {
  return text.startsWith('DriveID_') || text === FACTORY_ID;
}

/**
 * The id of the only record with a name.
 * @param none message if there is none, after option and name
 * @throws Failure if there is none, or several
 */
export function theOne(
  option: string,
  name: string,
  found: readonly { readonly id: string }[],
  none: string,
): string {
  const [first, ...more] = found;
  if (!first) throw new Failure(`${option} ${name} ${none}.`, EXIT.refused);
  if (more.length === 0) return first.id;
  const ids = found.map(({ id }) => id).join(', ');
  throw new Failure(`${option} ${name} is not unique; give one of ${ids}.`, EXIT.refused);
}
