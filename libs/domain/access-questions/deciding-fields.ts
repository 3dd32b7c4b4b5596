import type { RecordChange } from '../kernel/undo-log.js';

const OF_A_GRANT = [
  'resource_id',
  'granted_to',
  'permission_types',
  'begin_date_ms',
  'expiry_date_ms',
  'inheritable',
] as const;
const OF_AN_ITEM = ['parent_folder_uuid', 'has_sovereign_permissions', 'expires_at'] as const;

/** The fields that decide who holds permissions, by family. */
const DECIDING: Readonly<Record<string, readonly string[]>> = {
  organization: ['owner_id'],
  groups: ['owner'],
  group_invites: ['group_id', 'invitee_id', 'active_from', 'expires_at'],
  directory_permissions: OF_A_GRANT,
  system_permissions: OF_A_GRANT,
  folders: OF_AN_ITEM,
  files: OF_AN_ITEM,
};

type Members = Readonly<Record<string, unknown>>;

/** True if a change of a record may give or take permissions: not a name, a note or a label. */
export function isDeciding({ definition, before, after }: RecordChange): boolean {
  const fields = DECIDING[definition.name];
  if (!fields) return false;
  if (!before || !after) return true;
  const [was, is] = [before as unknown as Members, after as unknown as Members];
  return fields.some((field) => String(was[field]) !== String(is[field]));
}
