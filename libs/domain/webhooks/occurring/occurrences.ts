import type { FileView } from '../../directory/file-view.js';
import type { FolderView } from '../../directory/folder-view.js';
import type { ShareTracking } from '../../directory/share-track.js';
import type { InviteView } from '../../groups/invites-reads.js';
import type { GroupView } from '../../groups/reads.js';
import type { WebhookEvent } from '../record.js';

/** The content of a delivery for one side of a change. */
export type Payload =
  | { readonly type: 'file' | 'subfile'; readonly file: FileView }
  | { readonly type: 'folder' | 'subfolder'; readonly folder: FolderView }
  | ({ readonly type: 'share_tracking' } & ShareTracking)
  | { readonly type: 'group_invite'; readonly group: GroupView; readonly group_invite: InviteView }
  | {
      readonly type: 'label';
      readonly resource_id: string;
      readonly label_id: string;
      readonly label_value: string;
      readonly add: boolean;
    }
  | { readonly type: 'superswap_userid'; readonly content: string }
  | { readonly type: 'state_diffs'; readonly data: object }
  | {
      readonly type: 'org_inbox_new_notif';
      readonly drive_id: string;
      readonly topic: string | null;
      readonly payload: unknown;
    };

/** An occurrence that webhooks may listen to. */
export interface Occurrence {
  readonly event: WebhookEvent;
  /** Webhooks on any of these indexes match. */
  readonly indexes: readonly string[];
  /** The topic of an inbox notice, null for none. */
  readonly topic?: string | null;
  /** The file or folder that both sides show; a webhook's creator must be able to see it. */
  readonly item_id?: string;
  /** Ids of webhooks whose creator could see `before` just before the event; absent: all that may see `after`. */
  readonly before_to?: ReadonlySet<string>;
  readonly before?: Payload;
  readonly after?: Payload;
}
