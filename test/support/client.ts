import { documented } from './documented.js';
import { checkNeedle } from './needles.js';
import { replicas } from './replicas.js';

/** An answer as a test looks at it. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The whole parsed body; the text itself where it is no JSON. */
  readonly body: any;
  /** `ok.data` of a success, undefined else. */
  readonly data: any;
  /** `err` of a refusal, undefined else. */
  readonly err: any;
}

/** A plain HTTP client: knows base URL and token, nothing of the service. */
export class Client {
  constructor(
    readonly base: string,
    readonly token?: string,
    readonly user_id = '',
  ) {}

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send('POST', path, JSON.stringify(body), headers);
  }

  /** Sends a body as it is. */
  async send(
    method: string,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const to = replicas.route(this.base + path, headers);
    const response = await fetch(to.url, {
      method,
      redirect: 'manual',
      ...(body !== undefined && { body }),
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...to.headers,
      },
    });
    replicas.answered(to.url, response.headers);
    const text = await response.text();
    const is_json = /json/.test(response.headers.get('content-type') ?? '');
    const parsed = is_json && text ? JSON.parse(text) : text;
    if (response.status === 200) checkNeedle(path, body);
    await documented.check(method, this.base + path, response, parsed);
    return {
      status: response.status,
      headers: response.headers,
      body: parsed,
      data: parsed?.ok?.data,
      err: parsed?.err,
    };
  }
}

/** An organization made by quickstart; clients speak below its own path. */
export interface Organization {
  readonly drive_id: string;
  readonly admin: Client;
  /** In the order asked for. */
  readonly members: readonly Client[];
  /** Somebody with any token (or none) in this organization. */
  as(token?: string, user_id?: string): Client;
}

interface Person {
  user_id: string;
  api_key_value: string;
}

export function organizationOf(
  url: string,
  quickstart: { organization: { drive_id: string }; admin: Person; members: Person[] },
): Organization {
  const { drive_id } = quickstart.organization;
  const base = `${url}/v1/drive/${drive_id}`;
  const client = (person: Person): Client => new Client(base, person.api_key_value, person.user_id);
  return {
    drive_id,
    admin: client(quickstart.admin),
    members: quickstart.members.map(client),
    as: (token, user_id) => new Client(base, token, user_id),
  };
}
