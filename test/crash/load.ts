import { randomUUID } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { Client, type Organization, organizationOf } from '../support/client.js';

/** What the service was asked to do, and what it said. */
export interface Asked {
  readonly correlation_id: string;
  readonly kind: 'group' | 'quickstart';
  readonly drive_id: string;
  /** Of a group: its id, chosen by the client. */
  readonly group_id: string;
  readonly members: number;
  /** 0: the connection ended without an answer. */
  status: number;
  /** From `Drive-Revision`, -1 without. */
  revision: number;
  /** Drive made by an acknowledged quickstart. */
  made_drive_id: string;
  /** Code of the connection's error. */
  error: string;
}

export interface LoadOptions {
  readonly url: string;
  readonly drives: readonly Organization[];
  readonly connections: number;
  /** Called after every answer; the load ends when connections fail. */
  readonly answered: (acknowledged: number) => void;
}

/** Makes organizations to write to. */
export async function organizations(url: string, count: number): Promise<Organization[]> {
  const client = new Client(url);
  const made: Organization[] = [];
  for (let at = 0; at < count; at++) {
    const { data } = await client.post('/v1/factory/quickstart', { org_name: `Org ${at}` });
    made.push(organizationOf(url, data));
  }
  return made;
}

/**
 * Writes over so many connections until each has met an error of its connection: mostly groups, now and
 * then a quickstart. Returns everything that was asked.
 */
export async function load({ url, drives, connections, answered }: LoadOptions): Promise<Asked[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const all: Asked[] = [];
  let acknowledged = 0;
  const worker = async (nth: number): Promise<void> => {
    for (let turn = 0; ; turn++) {
      const drive = drives[(nth + turn) % drives.length]!;
      const asked = turn % 6 === 5 ? quickstart(turn % 4) : group(drive.drive_id);
      all.push(asked);
      await ask(url, agent, asked, drive.admin.token!);
      if (asked.status === 0) return;
      if (asked.status === 200) acknowledged++;
      answered(acknowledged);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, nth) => worker(nth)));
  agent.destroy();
  return all;
}

const UNANSWERED = { status: 0, revision: -1, made_drive_id: '', error: '' };

function group(drive_id: string): Asked {
  return {
    correlation_id: randomUUID(),
    kind: 'group',
    drive_id,
    group_id: `GroupID_${randomUUID()}`,
    members: 0,
    ...UNANSWERED,
  };
}

function quickstart(members: number): Asked {
  const correlation_id = randomUUID();
  return {
    correlation_id,
    kind: 'quickstart',
    drive_id: '',
    group_id: '',
    members,
    ...UNANSWERED,
  };
}

function ask(url: string, agent: Agent, asked: Asked, token: string): Promise<void> {
  const { kind, drive_id, group_id, members, correlation_id } = asked;
  const [path, body] =
    kind === 'group'
      ? [`/v1/drive/${drive_id}/groups/create`, { id: group_id, name: correlation_id }]
      : [
          '/v1/factory/quickstart',
          { org_name: correlation_id, members: Array.from({ length: members }, () => ({})) },
        ];
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      asked.error = error.code ?? error.message;
      resolve();
    };
    const request = httpRequest(
      url + path,
      {
        agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          'x-request-id': correlation_id,
        },
      },
      (response) => {
        let text = '';
        response.on('data', (bytes: Buffer) => (text += bytes.toString()));
        response.on('error', failed);
        response.on('end', () => {
          if (!response.complete) return failed(new Error('the answer broke off'));
          asked.status = response.statusCode!;
          asked.revision = Number(response.headers['drive-revision'] ?? -1);
          if (kind === 'quickstart' && asked.status === 200)
            asked.made_drive_id = JSON.parse(text).ok.data.organization.drive_id;
          resolve();
        });
      },
    );
    request.on('error', failed);
    request.end(JSON.stringify(body));
  });
}
