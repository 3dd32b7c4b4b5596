import { type DynamicModule, Module } from '@nestjs/common';
import { ApplicationModule } from '../../libs/application/application-module.js';
import type { SigningKey } from '../../libs/application/proofs/digest.js';
import type { Drives } from '../../libs/engine/drives/drives.js';
import type { Webhooks } from '../../libs/engine/webhooks/webhooks.js';
import { AccessController } from './access/access-controller.js';
import { ApiKeysController } from './api-keys/api-keys-controller.js';
import { BookmarksController } from './bookmarks/bookmarks-controller.js';
import { Closing } from './closing.js';
import { DirectoryController } from './directory/directory-controller.js';
import { DisksController } from './disks/disks-controller.js';
import { RawTransfersController } from './directory/raw-transfers-controller.js';
import { ContactsController } from './contacts/contacts-controller.js';
import { Credentials } from './drive/credentials.js';
import { DriveApi } from './drive/drive-api.js';
import { LongQueries } from './drive/long-queries.js';
import { DriveGuard } from './drive/drive-guard.js';
import { Nonces } from './drive/nonces.js';
import { FeedController } from './feed/feed-controller.js';
import { FactoryController } from './factory/factory-controller.js';
import { FactoryGuard } from './factory/factory-guard.js';
import { FactoryKeys } from './factory/factory-keys.js';
import { GiftcardsController } from './factory/giftcards-controller.js';
import { GroupsController } from './groups/groups-controller.js';
import { HistoryController } from './history/history-controller.js';
import { InvitesController } from './groups/invites-controller.js';
import {
  ContactIdentitiesController,
  FactoryIdentitiesController,
} from './identities/identities-controllers.js';
import { KnownDrivesController } from './known-drives/known-drives-controller.js';
import { LabelsController } from './labels/labels-controller.js';
import { OrganizationController } from './organization/organization-controller.js';
import { DirectoryPermissionsController } from './permissions/directory-controller.js';
import { SystemPermissionsController } from './permissions/system-controller.js';
import { Metrics } from './platform/metrics.js';
import { ProofsController } from './proofs/proofs-controller.js';
import { RateGate, type RateLimits } from './platform/rate-limit.js';
import { Settings } from './platform/settings/settings.js';
import { PurchasesController } from './purchases/purchases-controller.js';
import { ReplayController } from './replay/replay-controller.js';
import { Signalling } from '../../libs/application/signalling/signalling.js';
import { SignallingController } from './signalling/signalling-controller.js';
import { signallingLimits } from './signalling/signalling-limits.js';
import { SearchController } from './search/search-controller.js';
import { SignInController } from './sign-in/sign-in-controller.js';
import { SystemController } from './system/system-controller.js';
import { TransactionController } from './transaction/transaction-controller.js';
import { WebhooksController } from './webhooks/webhooks-controller.js';

/** Controllers in order of registration: routes with a fixed word come before those with a parameter. */
const controllers = [
  SystemController,
  FactoryController,
  GiftcardsController,
  FactoryIdentitiesController,
  GroupsController,
  InvitesController,
  ContactsController,
  ContactIdentitiesController,
  ReplayController,
  HistoryController,
  AccessController,
  ProofsController,
  SearchController,
  OrganizationController,
  DisksController,
  DirectoryController,
  RawTransfersController,
  ApiKeysController,
  LabelsController,
  KnownDrivesController,
  PurchasesController,
  BookmarksController,
  WebhooksController,
  DirectoryPermissionsController,
  SystemPermissionsController,
  TransactionController,
  FeedController,
  SignallingController,
  SignInController,
];

/** Dependencies of the HTTP side. */
export interface ServiceParts {
  readonly drives: Drives;
  readonly signing_key: SigningKey;
  readonly metrics: Metrics;
  readonly closing: Closing;
  readonly webhooks: Webhooks;
  /** Shared by all processes of the service; absent: this process counts alone. */
  readonly rate_limits?: RateLimits;
  readonly nonces: Nonces;
}

/** The HTTP side of the service. */
@Module({})
export class ApiModule {
  static of(settings: Settings, parts: ServiceParts): DynamicModule {
    const { drives, webhooks, signing_key, metrics, closing, rate_limits, nonces } = parts;
    return {
      module: ApiModule,
      imports: [ApplicationModule.of(drives, signing_key, webhooks)],
      controllers,
      providers: [
        { provide: Settings, useValue: settings },
        { provide: Metrics, useValue: metrics },
        { provide: RateGate, useValue: RateGate.of(settings, rate_limits) },
        { provide: LongQueries, useValue: new LongQueries(settings) },
        { provide: Nonces, useValue: nonces },
        { provide: Closing, useValue: closing },
        { provide: Signalling, useValue: new Signalling(drives, signallingLimits(settings)) },
        Credentials,
        DriveApi,
        DriveGuard,
        FactoryGuard,
        FactoryKeys,
      ],
    };
  }
}
