import { Setting, whole } from '../../../../libs/settings/kinds.js';
import { StoreSettings } from '../../../../libs/stores/settings.js';

/** How workers divide the drives among themselves. */
export class WorkerSettings extends StoreSettings {
  @Setting(
    'WORKER_PARTITIONS',
    '64',
    whole(1, 1_024),
    'Number of partitions that workers share; the same for all workers',
  )
  readonly worker_partitions!: number;

  @Setting(
    'WORKER_LEASE_MS',
    '15000',
    whole(1_000, 600_000),
    'Time after which other workers take over the partitions of a silent worker (milliseconds)',
  )
  readonly worker_lease_ms!: number;
}
