import type { Permission } from '../access/permission.js';
import type { CommandDefinition, Context, GeneratingCommand } from '../foundation/decision.js';
import { PREFIX } from '../kernel/ids.js';
import { bodyOf } from '../kernel/fields.js';
import type { CreateGrant, DeletePermission, RedeemPermission, UpdateGrant } from './commands.js';
import { grantDeciders } from './decide.js';
import { directoryGrants, type GrantKind, systemGrants } from './rules/kinds.js';
import { presentDirectoryPermission, presentSystemPermission } from './view.js';
import { type Shown, text, view } from '../kernel/view.js';

/** The record's own fields and the whole record again, since clients read both. */
export type WithPermission<View> = View & { permission: View };

/** The answer of a deletion. */
export const permissionDeletedView = view('PermissionDeleted', {
  deleted_id: text(),
});
export type PermissionDeleted = Shown<typeof permissionDeletedView>;

interface GrantCommands<Type extends string, View> {
  readonly create: GeneratingCommand<CreateGrant<Type>, WithPermission<View>>;
  readonly update: GeneratingCommand<UpdateGrant<Type>, WithPermission<View>>;
  readonly remove: CommandDefinition<DeletePermission, PermissionDeleted>;
  readonly redeem: CommandDefinition<RedeemPermission, WithPermission<View>>;
}

/** The commands on one kind of grants. */
function grantCommands<Type extends string, View extends object>(
  kind: GrantKind<Type>,
  present: (context: Context, grant: Permission<Type>) => View,
): GrantCommands<Type, View> {
  const decide = grantDeciders(kind);
  const created = `${kind.name}PermissionCreated` as const;
  const answer = (context: Context, id: string): WithPermission<View> => {
    const permission = present(context, kind.table(context.state).get(id)!);
    return { ...permission, permission };
  };
  return {
    create: {
      name: `Create${kind.name}Permission`,
      decide: decide.create,
      generate: (fresh) => ({
        permission_id: fresh.id(kind.prefix),
        placeholder_id: fresh.id(PREFIX.placeholder_grantee),
        ...fresh.code(),
      }),
      answer: (context, _, events) => answer(context, bodyOf(events, created)!.permission_id),
    },
    update: {
      name: `Update${kind.name}Permission`,
      decide: decide.update,
      generate: (fresh) => fresh.code(),
      answer: (context, { id }) => answer(context, id),
    },
    remove: {
      name: `Delete${kind.name}Permission`,
      decide: decide.remove,
      answer: (_, { permission_id }) => ({ deleted_id: permission_id }),
    },
    redeem: {
      name: `Redeem${kind.name}Permission`,
      decide: decide.redeem,
      answer: (context, { permission_id }) => answer(context, permission_id),
    },
  };
}

const directory = grantCommands(directoryGrants, presentDirectoryPermission);
const system = grantCommands(systemGrants, presentSystemPermission);

export const permissionCommands = {
  CreateDirectoryPermission: directory.create,
  UpdateDirectoryPermission: directory.update,
  DeleteDirectoryPermission: directory.remove,
  RedeemDirectoryPermission: directory.redeem,
  CreateSystemPermission: system.create,
  UpdateSystemPermission: system.update,
  DeleteSystemPermission: system.remove,
  RedeemSystemPermission: system.redeem,
};
