import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Drives } from '../engine/drives/drives.js';
import { Webhooks } from '../engine/webhooks/webhooks.js';
import { Contents } from '../engine/contents/contents.js';
import { ContentUploads } from './content/content-uploads.js';
import { Downloads } from './content/downloads.js';
import { ContentLinks } from './content/links.js';
import { ResumableLimits, ResumableUploads } from './content/resumable/resumable-uploads.js';
import { UnfinishedUploads } from './content/resumable/unfinished-uploads.js';
import { type UploadLimits, Uploads } from './content/uploads.js';
import { BucketUploads } from './directory/bucket-uploads.js';
import { ObjectChecks } from './directory/object-checks.js';
import { EventFeeds } from './feed/feed.js';
import { SigningKey } from './proofs/digest.js';
import { applicationProviders } from './providers.js';
import { Sweeps } from './sweeps.js';

/** What the application runs on. */
interface ApplicationParts {
  readonly drives: Drives;
  readonly signing_key: SigningKey;
  readonly webhooks: Webhooks;
  readonly contents: Contents;
  readonly uploads: UploadLimits;
  readonly downloads_max: number;
  readonly object_checks: ObjectChecks;
  readonly resumable_uploads: ResumableLimits;
}

/** The application: every command and query of the service, on the drives that the process opened. */
@Module({})
export class ApplicationModule {
  static of(parts: ApplicationParts): DynamicModule {
    const { drives, signing_key, webhooks, contents, uploads, object_checks } = parts;
    return {
      module: ApplicationModule,
      imports: [CqrsModule.forRoot()],
      providers: [
        { provide: Drives, useValue: drives },
        { provide: SigningKey, useValue: signing_key },
        { provide: Webhooks, useValue: webhooks },
        { provide: Contents, useValue: contents },
        { provide: ObjectChecks, useValue: object_checks },
        { provide: Uploads, useValue: new Uploads(contents, uploads) },
        {
          provide: ContentLinks,
          useValue: new ContentLinks(signing_key.derive('upload forms and download links')),
        },
        BucketUploads,
        { provide: ResumableLimits, useValue: parts.resumable_uploads },
        { provide: UnfinishedUploads, useValue: new UnfinishedUploads(contents, drives) },
        ContentUploads,
        ResumableUploads,
        {
          provide: Downloads,
          useValue: new Downloads(contents, drives, parts.downloads_max, uploads),
        },
        EventFeeds,
        Sweeps,
        ...applicationProviders(),
      ],
      exports: [
        Drives,
        Webhooks,
        ContentLinks,
        ContentUploads,
        ResumableUploads,
        Downloads,
        CqrsModule,
        EventFeeds,
      ],
      global: true,
    };
  }
}
