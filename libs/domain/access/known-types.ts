import { DIRECTORY_TYPES, type DirectoryType } from '../kernel/permission-types.js';
import { type Access, gives } from './access.js';
import { directoryGrantsOn } from './grants.js';
import type { Permission } from './permission.js';
import { type DirectoryNode, directoryNode, isExpired, PassedDown } from './resources.js';

/** Null for a folder or file that has expired or has an expired ancestor. */
type Types = readonly DirectoryType[] | null;

const NONE: readonly DirectoryType[] = [];

/**
 * The directory types of one identity on many folders and files, as `Access` answers them. What a folder passes on is
 * computed once, from what its parent passes on, so it is valid only until the state changes.
 */
export class KnownTypes {
  /** The types inherited by the content of folders. */
  private readonly passed_on: PassedDown<Types>;

  constructor(readonly access: Access) {
    this.passed_on = new PassedDown<Types>(access.state, NONE, (folder, above) =>
      this.typesOn(folder, above, ({ inheritable }) => inheritable),
    );
  }

  /** As `Access.directoryTypes`. */
  held(resource_id: string): readonly DirectoryType[] {
    const { access } = this;
    if (access.is_owner) return access.directoryTypes(resource_id);
    const node = directoryNode(access.state, resource_id);
    if (!node) return NONE;
    return this.typesOn(node, this.passed_on.by(node.parent_folder_uuid), () => true) ?? NONE;
  }

  /** As `Access.canDirectory`, but a failed check is not recorded. */
  can(type: DirectoryType, resource_id: string): boolean {
    return this.access.is_owner || gives({ permission_types: this.held(resource_id) }, type);
  }

  /** True if the folder's content inherits VIEW. */
  passesOnView(folder_id: string): boolean {
    return this.access.is_owner || gives({ permission_types: this.below(folder_id) }, 'VIEW');
  }

  /** The types that a folder passes on to what is not sovereign; none for files. */
  below(folder_id: string): readonly DirectoryType[] {
    const { access } = this;
    if (!access.is_owner) return this.passed_on.by(folder_id) ?? NONE;
    return access.state.folders.has(folder_id) ? access.directoryTypes(folder_id) : NONE;
  }

  /** The types that a folder or file inherits from its parent. */
  inherited(resource_id: string): readonly DirectoryType[] {
    const { access } = this;
    const node = directoryNode(access.state, resource_id);
    if (!node || node.parent_folder_uuid === null) return NONE;
    if (node.has_sovereign_permissions && !access.is_owner) return NONE;
    return this.below(node.parent_folder_uuid);
  }

  /** The types inherited by a folder or file, with those of the counting grants on it. */
  private typesOn(
    node: DirectoryNode,
    above: Types,
    isMeant: (grant: Permission) => boolean,
  ): Types {
    const { access } = this;
    if (above === null || isExpired(node, access.items_at)) return null;
    const inherited = node.has_sovereign_permissions ? NONE : above;
    const own = directoryGrantsOn(access, node.id).filter(isMeant);
    if (own.length === 0) return inherited;
    const types = new Set([...inherited, ...own.flatMap((grant) => grant.permission_types)]);
    return DIRECTORY_TYPES.filter((type) => types.has(type));
  }
}
