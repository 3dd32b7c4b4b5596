import { DEFAULT_LIMITS, type EngineLimits } from '../../libs/engine/drives/limits.js';
import type { DomainSettings } from '../../libs/domain/foundation/decision.js';
import { recordsWithin } from '../../libs/engine/fold/state-bytes.js';
import { DAY_MS } from './platform/settings/bound-settings.js';
import { frontendUrl, publicUrl, type Settings } from './platform/settings/settings.js';
import { VERSION } from './version.js';

export function engineLimits(settings: Settings): EngineLimits {
  const { batch_max_commands, batch_max_bytes, queue_max_commands, read_wait_ms } = settings;
  const { state_cache_bytes, past_cache_bytes, snapshot_every_events, snapshot_disk_bytes } =
    settings;
  const { organization_records_max, transaction_answer_bytes, snapshot_after_events } = settings;
  const { cold_loads_max, read_model_wait_ms, read_model_lag_events } = settings;
  return {
    ...DEFAULT_LIMITS,
    batch_max_commands,
    batch_max_bytes,
    append_max_work: Math.max(DEFAULT_LIMITS.append_max_work, settings.directory_items_per_action),
    // A larger organization could not be loaded again after eviction.
    organization_records_max: Math.min(organization_records_max, recordsWithin(state_cache_bytes)),
    transaction_answer_bytes,
    queue_max_commands,
    read_wait_ms,
    state_cache_bytes,
    past_cache_bytes,
    snapshot_every_events,
    snapshot_after_events,
    snapshot_disk_bytes,
    cold_loads_max,
    projection_wait_ms: read_model_wait_ms,
    read_model_lag_events,
  };
}

/** Settings of the domain; the URLs are right if the process listens on the configured port. */
export function domainSettings(settings: Settings): DomainSettings {
  const { transfer_wait_ms, everyone_disk_permissions, default_disk } = settings;
  const { verify_bucket_uploads, content_max_bytes, content_quota_bytes } = settings;
  return {
    host_url: publicUrl(settings, settings),
    frontend_url: frontendUrl(settings, settings),
    version: VERSION,
    transfer_wait_ms,
    everyone_disk_permissions,
    default_disk,
    items_per_action: settings.directory_items_per_action,
    trash_ms: settings.trash_days * DAY_MS,
    verify_bucket_uploads,
    content_max_bytes,
    content_quota_bytes,
    content_retention_ms: settings.content_retention_days * DAY_MS,
  };
}
