import { DIRECTORY_TYPES, type DirectoryType } from '../kernel/permission-types.js';
import { PUBLIC } from '../kernel/ids.js';
import type { Permission } from './permission.js';

export const VISIBILITIES = [
  'PUBLIC_MODIFY',
  'PUBLIC_VIEW',
  'PRIVATE_MODIFY',
  'PRIVATE_VIEW',
] as const;
export type Visibility = (typeof VISIBILITIES)[number];

const MODIFYING = DIRECTORY_TYPES.filter((type) => type !== 'VIEW' && type !== 'INVITE');

/** The key of an item's grants of one visibility, by which they are indexed. */
export function visibilityKey(item_id: string, visibility: Visibility): string {
  return `${item_id} ${visibility}`;
}

/** The key of a grant; null if it gives neither. */
export function visibilityKeyOf(grant: Permission<DirectoryType>): string | null {
  const { resource_id, granted_to, permission_types: types } = grant;
  const who = granted_to === PUBLIC ? 'PUBLIC' : 'PRIVATE';
  if (MODIFYING.some((type) => types.includes(type)))
    return visibilityKey(resource_id, `${who}_MODIFY`);
  return types.includes('VIEW') ? visibilityKey(resource_id, `${who}_VIEW`) : null;
}
