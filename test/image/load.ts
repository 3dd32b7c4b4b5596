import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import type { Client } from '../support/client.js';

const RETRY_MS = 250;
const PAGE = 100;

/** Names of all groups of an organization. @throws Error if they cannot be listed */
export async function groupNames(
  client: Client,
  headers: Record<string, string> = {},
): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: object | null = {}; cursor;) {
    const page = { page_size: PAGE, direction: 'ASC', ...cursor };
    const { status, data } = await client.post('/groups/list', page, headers);
    if (status !== 200) throw new Error(`groups are not listed: ${status}`);
    found.push(...data.items.map(({ name }: { name: string }) => name));
    cursor = data.cursor_down && { cursor_down: data.cursor_down };
  }
  return found;
}

/** Clients that create groups, one after another; each repeats a request under its key until it is acknowledged. */
export class Load {
  private readonly acknowledged: string[] = [];
  /** Statuses of failed requests, which are repeated; null for none. */
  readonly failed: (number | null)[] = [];
  private readonly running: Promise<void>[];
  private readonly watchers = new Set<() => void>();
  /** Of the organization, after the last acknowledged group. */
  private revision = 0;
  private is_stopping = false;

  /** @param pause_ms between two requests of a client, which may not send as many as it likes */
  constructor(
    private readonly client: Client,
    clients: number,
    private readonly pause_ms = 0,
  ) {
    this.running = Array.from({ length: clients }, () => this.run());
  }

  /** Resolves once this many more groups are acknowledged. @throws Error of a client */
  async reached(more: number): Promise<void> {
    const wanted = this.acknowledged.length + more;
    const acknowledged = new Promise<void>((resolve) => {
      const watch = (): void => {
        if (this.acknowledged.length < wanted) return;
        this.watchers.delete(watch);
        resolve();
      };
      this.watchers.add(watch);
    });
    // Clients end only with an error before they are stopped.
    await Promise.race([acknowledged, Promise.all(this.running)]);
  }

  /** Ends all clients; requests without an answer are not repeated any more. */
  async stop(): Promise<void> {
    this.is_stopping = true;
    await Promise.all(this.running);
  }

  /** Acknowledged groups that are not there, or more than once. @throws Error if the groups cannot be listed */
  async wrong(client = this.client): Promise<string[]> {
    const found = await groupNames(client, { 'min-drive-revision': String(this.revision) });
    return this.acknowledged.filter((name) => found.filter((one) => one === name).length !== 1);
  }

  private async run(): Promise<void> {
    while (!this.is_stopping) {
      const name = randomUUID();
      if (!(await this.create(name))) return;
      this.acknowledged.push(name);
      for (const watch of this.watchers) watch();
      await after(this.pause_ms);
    }
  }

  /** False if the load was stopped without an answer. */
  private async create(name: string): Promise<boolean> {
    const headers = { 'idempotency-key': name };
    while (!this.is_stopping) {
      const answer = await this.client.post('/groups/create', { name }, headers).catch(() => null);
      if (answer?.status === 200) {
        this.revision = Math.max(this.revision, Number(answer.headers.get('drive-revision')));
        return true;
      }
      // 429 if it was too fast for one client.
      if (answer?.status !== 429) this.failed.push(answer?.status ?? null);
      if (answer && answer.status < 500 && answer.status !== 429)
        throw new Error(`${answer.status} ${answer.err?.message}`);
      await after(RETRY_MS);
    }
    return false;
  }
}
