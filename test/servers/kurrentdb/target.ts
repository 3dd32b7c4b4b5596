import { startKurrentServer } from './server.js';

export interface KurrentTarget {
  /** Connection string. */
  readonly url: string;
  close(): Promise<void>;
}

/** The server that `KURRENTDB_URL` names, or a test server of one's own. */
export async function kurrentTarget(): Promise<KurrentTarget> {
  const url = process.env.KURRENTDB_URL;
  if (url) return { url, close: async () => {} };
  const server = await startKurrentServer();
  return { url: server.url, close: () => server.close() };
}
