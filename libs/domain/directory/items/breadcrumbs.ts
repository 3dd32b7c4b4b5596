import { Access } from '../../access/access.js';
import { isCounting } from '../../access/grants.js';
import type { Folder } from '../../disks/record.js';
import type { Context } from '../../foundation/decision.js';
import { type Visibility, VISIBILITIES, visibilityKey } from '../../access/visibility.js';
import { seesDiskName } from './item-view.js';
import { type Item, parentOf } from '../../relations/directory-tree.js';
import { listOf, oneOf, type Shown, text, view } from '../../kernel/view.js';

export const breadcrumbView = view('Breadcrumb', {
  resource_id: text('A folder or file, or `shared-with-me`'),
  resource_name: text(
    'For a root folder the name of its disk; empty without VIEW on the disk or its root',
  ),
  visibility_preview: listOf(oneOf(VISIBILITIES), 'From grants placed directly on it'),
});
export type Breadcrumb = Shown<typeof breadcrumbView>;

/** Id of the virtual folder with items shared from other places. */
const SHARED_WITH_ME = 'shared-with-me';

/** The unbroken chain of visible folders down to the item. It starts at a sovereign folder, if there is one. */
export function breadcrumbs(context: Context, item: Item): Breadcrumb[] {
  const access = Access.of(context);
  const line = [breadcrumb(context, item)];
  if (item.parent_folder_uuid === null) return line;
  let left = access.viewableUpwards(item.parent_folder_uuid);
  for (let at = item; !at.has_sovereign_permissions && left > 0; left--) {
    const parent = parentOf(context.state, at);
    if (!parent) break;
    line.push(breadcrumb(context, parent));
    at = parent;
  }
  return line.toReversed();
}

/**
 * Breadcrumbs of the items shared with the caller on a disk. Without VIEW on the disk or its root they show no names.
 */
export function sharedBreadcrumbs(context: Context, root: Folder): Breadcrumb[] {
  const shared = { resource_id: SHARED_WITH_ME, resource_name: 'Shared with me' };
  const first = seesDiskName(Access.of(context), root.disk_id)
    ? breadcrumb(context, root)
    : { resource_id: root.id, resource_name: '', visibility_preview: [] };
  return [first, { ...shared, visibility_preview: [] }];
}

function breadcrumb(context: Context, item: Item): Breadcrumb {
  const disk = context.state.disks.get(item.disk_id);
  return {
    resource_id: item.id,
    resource_name: disk?.root_folder === item.id ? disk.name : item.name,
    visibility_preview: visibilityOf(context, item.id),
  };
}

/** The visibility of an item by the effective grants placed directly on it. */
function visibilityOf({ state, now }: Context, item_id: string): Visibility[] {
  const { directory_permissions: grants } = state;
  const isGiven = (visibility: Visibility): boolean => {
    for (const id of grants.by('visibility', visibilityKey(item_id, visibility)))
      if (isCounting(grants.get(id)!, now)) return true;
    return false;
  };
  return (['PUBLIC', 'PRIVATE'] as const).flatMap(
    (who) => ([`${who}_MODIFY`, `${who}_VIEW`] as const).find(isGiven) ?? [],
  );
}
