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

/** Sends a request to an organization of this server. @throws RequestFailed; TypeError if nothing answered */
export async function request<T>(
  drive_id: string,
  key: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(`/v1/drive/${encodeURIComponent(drive_id)}/${path}`, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (response.ok) return answer.ok.data;
  const { type, message, request_id } = answer.err;
  throw new RequestFailed(response.status, type, message, request_id);
}
