import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { apiKeyReads } from '../../libs/domain/api-keys/reads.js';
import { bookmarkReads } from '../../libs/domain/bookmarks/reads.js';
import { contactReads } from '../../libs/domain/contacts/reads.js';
import { fileReads, folderReads } from '../../libs/domain/directory/reads.js';
import { diskReads } from '../../libs/domain/disks/reads.js';
import type { Context } from '../../libs/domain/foundation/decision.js';
import type { ReadDefinition } from '../../libs/domain/foundation/reading.js';
import { giftcardReads } from '../../libs/domain/giftcards/reads.js';
import { groupInviteReads, inviteReads } from '../../libs/domain/groups/invites-reads.js';
import { groupReads } from '../../libs/domain/groups/reads.js';
import { knownDriveReads } from '../../libs/domain/known-drives/reads.js';
import { labelReads } from '../../libs/domain/labels/reads.js';
import {
  directoryPermissionReads,
  systemPermissionReads,
} from '../../libs/domain/permissions/reads.js';
import { purchaseReads } from '../../libs/domain/purchases/reads.js';
import { PREFIX } from '../../libs/domain/kernel/ids.js';
import { SPEC_SETTINGS } from '../../libs/domain/testing/drive.js';
import { webhookReads } from '../../libs/domain/webhooks/reads.js';
import { applyEvent, emptyState } from '../../libs/engine/fold/fold.js';
import { Keyring } from '../../libs/engine/keys/keyring.js';
import { stateSource } from '../../libs/engine/read-models/source.js';
import { readGoldens } from '../golden/golden.js';

const FOLDER = join(import.meta.dirname, '../golden/streams');

const DEFINITIONS = {
  apiKeyReads,
  bookmarkReads,
  contactReads,
  diskReads,
  directoryPermissionReads,
  fileReads,
  folderReads,
  giftcardReads,
  groupInviteReads,
  groupReads,
  inviteReads,
  knownDriveReads,
  labelReads,
  purchaseReads,
  systemPermissionReads,
  webhookReads,
} as unknown as Readonly<Record<string, ReadDefinition<never, unknown>>>;

/** What presenting every record of every state that the golden streams lead to has asked for. */
const shown = new Set<string>();
const with_presence = new Set<string>();
const seen_users = new Set<string>();
/** Records that show a user's presence although their definition does not say so. */
const untold: string[] = [];
for (const version of readdirSync(FOLDER))
  for (const { golden } of readGoldens(join(FOLDER, version))) {
    const { state } = emptyState(golden.drive_id);
    const { open } = new Keyring(golden.drive_id, golden.keys);
    for (const event of golden.events) {
      applyEvent(state, event);
      state.undo_log.forget();
      const user_id = state.organizations.get(golden.drive_id)?.owner_id ?? '';
      for (const [name, reads] of Object.entries(DEFINITIONS)) {
        const context: Context = {
          state,
          open,
          now: event.timestamp_ms,
          caller: { user_id, via: 'SYSTEM', api_key_id: null, key_expires_at: -1 },
          settings: SPEC_SETTINGS,
          masked: false,
          lastOnline: (seen) => (seen_users.add(seen), 0),
        };
        for (const { id, record } of stateSource(state, open).documents(reads.family)) {
          shown.add(name);
          seen_users.clear();
          reads.present(context, record as never);
          for (const seen of seen_users) {
            with_presence.add(name);
            // Placeholders call nothing.
            if (!seen.startsWith(PREFIX.user)) continue;
            const told = [...(reads.shows_presence?.(context, seen) ?? [])];
            if (!told.includes(id)) untold.push(`${name} ${id} shows ${seen}`);
          }
        }
      }
    }
  }

describe('records as they are shown', () => {
  it('say when somebody was last online only where their definition says so', () => {
    expect([...shown].sort()).toEqual(Object.keys(DEFINITIONS).sort());
    const declared = Object.keys(DEFINITIONS).filter((name) => DEFINITIONS[name]!.shows_presence);
    expect([...with_presence].sort()).toEqual(declared.sort());
    expect(untold).toEqual([]);
  });
});
