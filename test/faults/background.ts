import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import type { Random } from '../bench/harness/random.js';
import type { Organization } from '../support/client.js';
import type { Cluster } from './cluster.js';
import { post } from './commands.js';

/** Time after the last fault in which a verification must be answered, ms. */
const ANSWERED_WITHIN_MS = 60_000;
const PAUSE_MS = 50;
/** Mean time between two ends of a background thread, ms. */
const ENDS_EVERY_MS = 1500;

/** Ends the background threads of API processes at random moments until stopped, and at least one. */
export async function endThreads(
  cluster: Cluster,
  random: Random,
  stopped: AbortSignal,
): Promise<void> {
  let deadline = Infinity;
  stopped.addEventListener('abort', () => (deadline = performance.now() + ANSWERED_WITHIN_MS));
  // A short run may have met only processes that were down or had no thread yet.
  const is_none_ended = (): boolean => threadsEnded(cluster) === 0 && performance.now() < deadline;
  while (!stopped.aborted || is_none_ended()) {
    random.pick(cluster.apis).signal('SIGUSR2');
    await after(2 * ENDS_EVERY_MS * random.next());
  }
}

/** What became of verifications, which background threads answer. */
export interface Verified {
  answered: number;
  /** Answered with 503 `server.interrupted`: the thread had ended. */
  interrupted: number;
  /** Answers that no fault explains. */
  readonly unexpected: string[];
}

/** Has organizations verified by API processes; none may ever be found wrong. */
export class Verifications {
  readonly verified: Verified = { answered: 0, interrupted: 0, unexpected: [] };

  constructor(
    private readonly urls: readonly string[],
    private readonly organizations: readonly Organization[],
    private readonly random: Random,
  ) {}

  /** One after another, of any organization by any process. */
  async always(stopped: AbortSignal): Promise<void> {
    const { urls, organizations, random } = this;
    while (!stopped.aborted) {
      const is_answered = await this.ask(random.pick(urls), random.pick(organizations));
      if (!is_answered) await after(PAUSE_MS);
    }
  }

  /** One by each process, which must answer. */
  async last(): Promise<void> {
    const deadline = performance.now() + ANSWERED_WITHIN_MS;
    for (const url of this.urls)
      while (!(await this.ask(url, this.random.pick(this.organizations)))) {
        if (performance.now() < deadline) await after(PAUSE_MS);
        else return void this.verified.unexpected.push(`${url} verifies nothing any more`);
      }
  }

  /** False if a fault explains why there is no answer. */
  private async ask(url: string, { drive_id, admin }: Organization): Promise<boolean> {
    const { verified } = this;
    const verify = `${url}/v1/drive/${drive_id}/organization/verify`;
    const answer = await post(verify, '{}', randomUUID(), { token: admin.token! });
    if (!answer) return false;
    const { status, text } = answer;
    if (status === 200 && text.includes('"valid":true')) verified.answered++;
    else if (status !== 503) verified.unexpected.push(`verify of ${drive_id}: ${text}`);
    if (text.includes('server.interrupted')) verified.interrupted++;
    return status !== 503;
  }
}

/** Number of background threads that were ended in the processes. */
export function threadsEnded({ apis }: Cluster): number {
  const lines = apis.map(({ output }) => output.match(/background thread ended/g)?.length ?? 0);
  return lines.reduce((sum, ended) => sum + ended, 0);
}
