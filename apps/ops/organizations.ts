import {
  describeOrganizations,
  type OrganizationSummary,
} from '../../libs/application/factory/organizations.js';
import type { Drives } from '../../libs/engine/drives/drives.js';
import { FACTORY_ID } from '../../libs/engine/fold/fold.js';
import { theOne } from './the-one.js';

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
  if (given.every(isId)) return [...given];
  const all: OrganizationSummary[] = [];
  for await (const one of describeOrganizations(drives)) all.push(one);
  return given.map((text) => {
    if (isId(text)) return text;
    const same = all.filter(({ name }) => name.toLowerCase() === text.toLowerCase());
    return theOne('--drive', text, same, 'names no organization here; `ops orgs` lists them');
  });
}

function isId(text: string): boolean {
  return text.startsWith('DriveID_') || text === FACTORY_ID;
}
