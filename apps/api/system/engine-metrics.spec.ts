import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Metrics } from '../platform/metrics.js';
import { observedWrites, registerDisk } from './engine-metrics.js';

/** Samples of one metric: lines without its name. */
async function samples(metrics: Metrics, name: string): Promise<string[]> {
  const lines = (await metrics.page()).body.split('\n');
  const begins = `drive_workspace_${name}`;
  return lines.filter((line) => line.startsWith(begins)).map((line) => line.slice(begins.length));
}

describe('metrics of writes', () => {
  it('count stored events and bytes, and time every outcome', async () => {
    const metrics = new Metrics(false);
    const observer = observedWrites(metrics);
    observer.committed('stored', { events: { length: 3 }, bytes: 1000 }, 4);
    observer.committed('stored', { events: { length: 1 }, bytes: 200 }, 40);
    observer.committed('failed', { events: { length: 9 }, bytes: 9000 }, 2000);
    observer.decided('accepted');
    observer.decided('refused');
    observer.decided('refused');
    expect(await samples(metrics, 'events_appended_total')).toEqual([' 4']);
    expect(await samples(metrics, 'events_appended_bytes_total')).toEqual([' 1200']);
    expect(await samples(metrics, 'commit_duration_seconds_count')).toEqual([
      '{outcome="stored"} 2',
      '{outcome="failed"} 1',
    ]);
    expect(await samples(metrics, 'commit_duration_seconds_sum')).toEqual([
      '{outcome="stored"} 0.044',
      '{outcome="failed"} 2',
    ]);
    expect(await samples(metrics, 'commands_decided_total')).toEqual([
      '{outcome="accepted"} 1',
      '{outcome="refused"} 2',
      '{outcome="repeated"} 0',
    ]);
  });
});

describe('the space of the data folder', () => {
  it('is shown while the folder exists', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'drive-disk-'));
    const metrics = new Metrics(false);
    registerDisk(metrics, folder);
    const [free, size] = [
      await samples(metrics, 'data_folder_free_bytes'),
      await samples(metrics, 'data_folder_size_bytes'),
    ].map(([line]) => Number(line));
    expect(size).toBeGreaterThan(1e6);
    expect(free).toBeGreaterThan(0);
    expect(free).toBeLessThanOrEqual(size!);
    await rm(folder, { recursive: true });
    expect(await samples(metrics, 'data_folder_free_bytes')).toEqual([]);
  });
});
