import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Drives } from '../engine/drives/drives.js';
import { Webhooks } from '../engine/webhooks/webhooks.js';
import { ExpirySweep } from './directory/sweep.js';
import { EventFeeds } from './feed/feed.js';
import { SigningKey } from './proofs/digest.js';
import { applicationProviders } from './providers.js';

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
        EventFeeds,
        ExpirySweep,
        ...applicationProviders(),
      ],
      exports: [Drives, Webhooks, CqrsModule, EventFeeds],
      global: true,
    };
  }
}
