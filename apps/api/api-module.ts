import { type DynamicModule, Module } from '@nestjs/common';
import { ApplicationModule } from '../../libs/application/application-module.js';
import { ResumableLimits } from '../../libs/application/content/resumable/resumable-uploads.js';
import type { SigningKey } from '../../libs/application/proofs/digest.js';
import type { Contents } from '../../libs/engine/contents/contents.js';
import type { Drives } from '../../libs/engine/drives/drives.js';
import type { Webhooks } from '../../libs/engine/webhooks/webhooks.js';
import { ObjectChecks } from '../../libs/application/directory/object-checks.js';
import { HeadRequests } from './outgoing/head-requests.js';
import { VERSION } from './version.js';
import { Closing } from './closing.js';
import './controllers.js';
import { Credentials } from './drive/credentials.js';
import { DriveApi } from './drive/drive-api.js';
import { LongQueries } from './drive/long-queries.js';
import { DriveGuard } from './drive/drive-guard.js';
import { Nonces } from './drive/nonces.js';
import { FactoryGuard } from './factory/factory-guard.js';
import { FactoryKeys } from './factory/factory-keys.js';
import { registeredControllers } from './platform/controllers.js';
import { Metrics } from './platform/metrics.js';
import { RateGate, type RateLimits } from './platform/rate-limit.js';
import { Settings } from './platform/settings/settings.js';
import { Signalling } from '../../libs/application/signalling/signalling.js';
import { signallingLimits } from './signalling/signalling-limits.js';

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
  readonly contents: Contents;
}

/** Checks of uploads to buckets. Their endpoints are chosen by users, as the URLs of webhooks are. */
function objectChecks(settings: Settings): ObjectChecks {
  const { production, bucket_timeout_ms: timeout_ms, bucket_checks_max: parallel_max } = settings;
  const user_agent = `drive-workspace-service/${VERSION}`;
  const sender = new HeadRequests({ public_only: production, user_agent });
  return new ObjectChecks({ sender, timeout_ms, parallel_max });
}

@Module({})
export class ApiModule {
  static of(settings: Settings, parts: ServiceParts): DynamicModule {
    const { metrics, closing, rate_limits, nonces, drives } = parts;
    const { content_uploads_max: uploads_max, content_min_bytes_per_s: min_bytes_per_s } = settings;
    const uploads = { uploads_max, min_bytes_per_s, slow_ms: settings.content_slow_ms };
    const resumable_uploads = new ResumableLimits(settings.content_unfinished_uploads_max);
    return {
      module: ApiModule,
      imports: [
        ApplicationModule.of({
          ...parts,
          uploads,
          downloads_max: settings.content_downloads_max,
          resumable_uploads,
          object_checks: objectChecks(settings),
        }),
      ],
      controllers: registeredControllers(),
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
