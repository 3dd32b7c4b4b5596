import type { Worker, WorkerReport } from '../../libs/engine/worker/worker.js';
import type { Metrics } from '../api/platform/metrics.js';

const MS = 1000;

/** Registers metrics of a worker. @param partitions of the installation */
export function registerWorker(
  metrics: Metrics,
  worker: Pick<Worker, 'report'>,
  partitions: number,
): void {
  const figure = (name: string, help: string, read: (report: WorkerReport) => number): void =>
    metrics.gauge(name, help, () => read(worker.report()));
  metrics.gauge('worker_partitions', 'Partitions of the installation', () => partitions);
  figure('worker_partitions_held', 'Partitions of this worker', (at) => at.partitions_held);
  figure('worker_lag_events', 'Lag of this worker’s drives in events', (at) => at.lag_events);
  figure('worker_lag_seconds', 'Largest lag of a drive', (at) => at.lag_ms / MS);
  figure(
    'worker_drives_quarantined',
    'Drives whose derived stores cannot be updated',
    (at) => at.quarantined.length,
  );
  figure('worker_stuck', '1 if a drive has not advanced for a minute', (at) => Number(at.stuck));
}
