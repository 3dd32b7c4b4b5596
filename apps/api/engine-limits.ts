import { DEFAULT_LIMITS, type EngineLimits } from '../../libs/engine/drives/limits.js';
import { recordsWithin } from '../../libs/engine/fold/state-bytes.js';
import type { Settings } from './platform/settings/settings.js';

/** Limits of the engine from the settings. */
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
