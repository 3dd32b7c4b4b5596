/** An error answer of the server. */
export class RequestFailed extends Error {
  override name = 'RequestFailed';

  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
    readonly request_id: string | null,
  ) {
    super(message);
  }
}

/** A point of the past and the person who looks, as the API takes them; null: now, the caller. */
export interface Past {
  readonly at: string | null;
  readonly as_user: string | null;
}

/** An organization on this server. */
export class Drive {
  constructor(
    readonly drive_id: string,
    private readonly key: string,
  ) {}

  get<T>(path: string, past?: Past, signal?: AbortSignal): Promise<T> {
    return this.data(path, past, { ...(signal && { signal }) });
  }

  post<T>(path: string, body: object, past?: Past, signal?: AbortSignal): Promise<T> {
    const init = { method: 'POST', body: JSON.stringify(body) };
    return this.data(path, past, { ...init, ...(signal && { signal }) });
  }

  /** The answer's `ok.data`. @throws RequestFailed; TypeError if nothing answered */
  private async data<T>(path: string, past: Past | undefined, init: RequestInit): Promise<T> {
    const response = await this.send(path, past, init);
    const answer = await response.json();
    if (response.ok) return answer.ok.data;
    const { type, message, request_id } = answer.err;
    throw new RequestFailed(response.status, type, message, request_id);
  }

  private send(path: string, past: Past | undefined, init: RequestInit): Promise<Response> {
    const url = new URL(`/v1/drive/${encodeURIComponent(this.drive_id)}/${path}`, location.href);
    if (past?.at) url.searchParams.set('as_of', past.at);
    if (past?.as_user) url.searchParams.set('as_user', past.as_user);
    const headers = { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' };
    return fetch(url, { ...init, headers });
  }
}
