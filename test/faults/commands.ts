import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import type { Random } from '../bench/harness/random.js';
import type { Organization } from '../support/client.js';

/** The longest that one try waits for its answer, ms. */
const TRY_MS = 15_000;
/** The longest pause before a command is tried again, ms. */
const LONGEST_PAUSE_MS = 250;
/** Groups that one client has at most: the test server for documents looks at all of them for each change. */
const MOST_GROUPS = 3;

export type Kind = 'create' | 'update' | 'delete' | 'quickstart';

/** A command and what became of it. */
export interface Command {
  /** Its X-Request-Id and, save for a quickstart, its Idempotency-Key. */
  readonly id: string;
  readonly kind: Kind;
  readonly drive_id: string;
  readonly group_id: string;
  readonly sent_ms: number;
  tries: number;
  /** 0 until it is acknowledged. */
  acknowledged_ms: number;
  /** From `Drive-Revision`. */
  revision: number;
  is_replayed: boolean;
  /** Refusals by a process that was behind another one. */
  refused_stale: number;
}

/** What all clients have asked and heard. */
export class Ledger {
  readonly commands: Command[] = [];
  /** Answers that no fault explains. */
  readonly unexpected: string[] = [];
  /** Names by id of the groups that must be there, by drive. */
  readonly groups = new Map<string, Map<string, string>>();
  /** Last acknowledged revision of each drive. */
  readonly revisions = new Map<string, number>();
  private readonly waiting: { sent_after_ms: number; resolve: (at_ms: number) => void }[] = [];

  acknowledged(): Command[] {
    return this.commands.filter(({ acknowledged_ms }) => acknowledged_ms > 0);
  }

  /** When the first command is acknowledged whose answering try was sent after this moment, ms. */
  nextAnswer(sent_after_ms: number): Promise<number> {
    return new Promise((resolve) => this.waiting.push({ sent_after_ms, resolve }));
  }

  answered(command: Command, try_sent_ms: number, revision: number, is_replayed: boolean): void {
    const now = performance.now();
    Object.assign(command, { acknowledged_ms: now, revision, is_replayed });
    const { drive_id } = command;
    if (command.kind !== 'quickstart')
      this.revisions.set(drive_id, Math.max(revision, this.revisions.get(drive_id) ?? -1));
    for (const one of this.waiting.splice(0))
      if (one.sent_after_ms < try_sent_ms) one.resolve(now);
      else this.waiting.push(one);
  }
}

export interface ClientOptions {
  readonly ledger: Ledger;
  readonly organizations: readonly Organization[];
  /** Base URLs of the API processes, any of which is asked. */
  readonly urls: readonly string[];
  readonly random: Random;
  readonly pause_ms: number;
  /** Aborted when no new command shall begin. */
  readonly stopped: AbortSignal;
  /** Aborted when commands that are not acknowledged are given up. */
  readonly given_up: AbortSignal;
}

/**
 * Asks one command after another, now of one organization, now of another, with groups of its own. Until a
 * command is acknowledged it is tried again under its Idempotency-Key, at any of the processes.
 */
export async function runClient(options: ClientOptions): Promise<void> {
  const { organizations, random, stopped } = options;
  const own: { group_id: string; drive: Organization }[] = [];
  for (let turn = 0; !stopped.aborted; turn++) {
    const drive = random.pick(organizations);
    const dice = random.next();
    if (dice < 0.002) await quickstart(options);
    else if (own.length < MOST_GROUPS) {
      const group_id = `GroupID_${randomUUID()}`;
      own.push({ group_id, drive });
      await change(options, 'create', drive, group_id, `made in turn ${turn}`);
    } else if (dice < 0.01) {
      const [gone] = own.splice(random.below(own.length), 1);
      await change(options, 'delete', gone!.drive, gone!.group_id, '');
    } else {
      const one = random.pick(own);
      await change(options, 'update', one.drive, one.group_id, `changed in turn ${turn}`);
    }
    if (options.pause_ms > 0)
      await after(options.pause_ms * 2 * random.next(), undefined, { signal: stopped }).catch(
        () => {},
      );
  }
}

function begun(kind: Kind, drive_id: string, group_id: string): Command {
  return {
    ...{ id: randomUUID(), kind, drive_id, group_id, sent_ms: performance.now() },
    ...{ tries: 0, acknowledged_ms: 0, revision: -1, is_replayed: false, refused_stale: 0 },
  };
}

async function change(
  { ledger, urls, random, given_up }: ClientOptions,
  kind: Kind,
  { drive_id, admin }: Organization,
  group_id: string,
  name: string,
): Promise<void> {
  const command = begun(kind, drive_id, group_id);
  ledger.commands.push(command);
  const body = JSON.stringify({ id: group_id, ...(kind !== 'delete' && { name }) });
  for (let pause_ms = 10; !given_up.aborted; pause_ms = Math.min(pause_ms * 2, LONGEST_PAUSE_MS)) {
    const url = `${random.pick(urls)}/v1/drive/${drive_id}/groups/${kind}`;
    const sent_ms = performance.now();
    const sent_after = ledger.revisions.get(drive_id) ?? -1;
    command.tries++;
    const answer = await post(url, body, command.id, { token: admin.token!, repeatable: true });
    if (answer?.status === 200) {
      const { revision, is_replayed } = answer;
      if (!is_replayed && revision <= sent_after)
        ledger.unexpected.push(
          `${kind} ${command.id}: Drive-Revision ${revision} was sent after ${sent_after} was acknowledged`,
        );
      ledger.answered(command, sent_ms, revision, is_replayed);
      const groups = ledger.groups.get(drive_id) ?? new Map<string, string>();
      ledger.groups.set(drive_id, groups);
      if (kind === 'delete') groups.delete(group_id);
      else groups.set(group_id, name);
      return;
    }
    // Decided by a process that has not heard of the group's creation, which another acknowledged.
    if (answer?.status === 404 && kind !== 'create') command.refused_stale++;
    else if (answer && answer.status !== 503) {
      ledger.unexpected.push(`${kind} ${command.id}, try ${command.tries}: ${answer.text}`);
      return;
    }
    await after(pause_ms * (0.5 + random.next()));
  }
}

/** Tried once: nobody owns an Idempotency-Key there. */
async function quickstart({ ledger, urls, random }: ClientOptions): Promise<void> {
  const command = begun('quickstart', '', '');
  ledger.commands.push(command);
  const sent_ms = performance.now();
  command.tries = 1;
  const url = `${random.pick(urls)}/v1/factory/quickstart`;
  const answer = await post(url, JSON.stringify({ org_name: command.id }), command.id, {});
  if (answer?.status === 200) ledger.answered(command, sent_ms, answer.revision, false);
  else if (answer && answer.status !== 503)
    ledger.unexpected.push(`quickstart ${command.id}: ${answer.text}`);
}

interface Heard {
  readonly status: number;
  readonly revision: number;
  readonly is_replayed: boolean;
  readonly text: string;
}

/** Null if nobody knows what became of it. */
export async function post(
  url: string,
  body: string,
  id: string,
  { token, repeatable = false }: { token?: string; repeatable?: boolean },
): Promise<Heard | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-request-id': id,
        ...(token && { authorization: `Bearer ${token}` }),
        ...(repeatable && { 'idempotency-key': id }),
      },
      signal: AbortSignal.timeout(TRY_MS),
    });
    const text = await response.text();
    const { status, headers } = response;
    return {
      status,
      revision: Number(headers.get('drive-revision') ?? -1),
      is_replayed: headers.get('idempotent-replayed') === 'true',
      text: `${status} ${text.slice(0, 500)}`,
    };
  } catch {
    return null;
  }
}
