import { LoadClient } from './load.js';
import { Child } from './process.js';
import type { Bench } from './row.js';

/** The service on a data folder, with nothing that would limit a load; `profiled` if profiles are wanted. */
export function startService(
  bench: Bench,
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Child> {
  const settings = { PORT: '0', DATA_DIR: folder, RATE_LIMITS: 'off', LOG_LEVEL: 'error', ...env };
  return Child.server('service', { env: settings, profile: bench.profile });
}

/** The bare server that the service is held against; with a folder, it appends an event there for each POST. */
export function startBare(folder?: string): Promise<Child> {
  return Child.server('bare', folder === undefined ? {} : { env: { BARE_APPENDS_TO: folder } });
}

/** A bare server that also sends these headers with each answer. */
export function startBareWith(headers: Readonly<Record<string, string>>): Promise<Child> {
  return Child.server('bare', { env: { BARE_HEADERS: JSON.stringify(headers) } });
}

/** Both servers with their clients, stopped whatever happens. */
export async function withServers<T>(
  bench: Bench,
  folder: string,
  connections: number,
  work: (servers: {
    service: Child;
    bare: Child;
    to_service: LoadClient;
    to_bare: LoadClient;
  }) => Promise<T>,
): Promise<T> {
  const service = await startService(bench, folder);
  const bare = await startBare();
  const to_service = await LoadClient.connect(service.port, connections);
  const to_bare = await LoadClient.connect(bare.port, connections);
  try {
    return await work({ service, bare, to_service, to_bare });
  } finally {
    to_service.close();
    to_bare.close();
    await Promise.all([service.stop(), bare.stop()]);
  }
}
