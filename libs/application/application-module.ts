import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Drives } from '../engine/drives/drives.js';
import { Webhooks } from '../engine/webhooks/webhooks.js';
import { accessPastHandlers } from './access/past.js';
import { accessQuestionHandlers } from './access/questions.js';
import { apiKeyHandlers } from './api-keys/api-keys.js';
import { bookmarkHandlers } from './bookmarks/bookmarks.js';
import { directoryHandlers } from './directory/directory.js';
import { diskHandlers } from './disks/disks.js';
import { administrationHandlers } from './factory/administration.js';
import { giftcardHandlers } from './factory/giftcards.js';
import { QuickstartHandler } from './factory/quickstart.js';
import { contactHandlers } from './contacts/contacts.js';
import { groupHandlers } from './groups/groups.js';
import { inviteHandlers } from './groups/invites.js';
import { identityHandlers } from './identities/identities.js';
import { knownDriveHandlers } from './known-drives/known-drives.js';
import { labelHandlers } from './labels/labels.js';
import { compareHandlers } from './history/compare.js';
import { historyHandlers } from './history/history.js';
import { organizationHandlers } from './organization/organization.js';
import { directoryPermissionHandlers } from './permissions/directory.js';
import { systemPermissionHandlers } from './permissions/system.js';
import { digestHandlers, SigningKey } from './proofs/digest.js';
import { logProofHandlers } from './proofs/log-answers.js';
import { recordProofHandlers } from './proofs/record-proof.js';
import { purchaseHandlers } from './purchases/purchases.js';
import { verifyHandlers } from './proofs/verification.js';
import { reindexProviders } from './replay/reindex.js';
import { replayHandlers } from './replay/replay.js';
import { snapshotHandlers } from './replay/snapshot.js';
import { searchHandlers } from './search/search.js';
import { EventFeeds, feedHandlers } from './feed/feed.js';
import { RunTransactionHandler } from './transaction/transaction.js';
import { deliveryHandlers } from './webhooks/deliveries.js';
import { TestWebhookHandler } from './webhooks/test-webhook.js';
import { webhookHandlers } from './webhooks/webhooks.js';

/** Handlers of all commands and queries, one list per family. */
const handlers = [
  QuickstartHandler,
  RunTransactionHandler,
  EventFeeds,
  ...feedHandlers,
  ...giftcardHandlers,
  ...administrationHandlers,
  ...identityHandlers,
  ...groupHandlers,
  ...inviteHandlers,
  ...contactHandlers,
  ...replayHandlers,
  ...compareHandlers,
  ...accessQuestionHandlers,
  ...accessPastHandlers,
  ...historyHandlers,
  ...snapshotHandlers,
  ...reindexProviders,
  ...digestHandlers,
  ...logProofHandlers,
  ...recordProofHandlers,
  ...verifyHandlers,
  ...searchHandlers,
  ...organizationHandlers,
  ...diskHandlers,
  ...directoryHandlers,
  ...apiKeyHandlers,
  ...labelHandlers,
  ...knownDriveHandlers,
  ...purchaseHandlers,
  ...bookmarkHandlers,
  ...webhookHandlers,
  ...deliveryHandlers,
  TestWebhookHandler,
  ...directoryPermissionHandlers,
  ...systemPermissionHandlers,
];

/** The application: every command and query of the service, on the drives that the process opened. */
@Module({})
export class ApplicationModule {
  static of(drives: Drives, signing_key: SigningKey, webhooks: Webhooks): DynamicModule {
    return {
      module: ApplicationModule,
      imports: [CqrsModule.forRoot()],
      providers: [
        { provide: Drives, useValue: drives },
        { provide: SigningKey, useValue: signing_key },
        { provide: Webhooks, useValue: webhooks },
        ...handlers,
      ],
      exports: [Drives, Webhooks, CqrsModule, EventFeeds],
      global: true,
    };
  }
}
