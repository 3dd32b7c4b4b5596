/** A person who calls the API of an organization. */
export class Caller {
  constructor(
    /** Base URL of the service. */
    private readonly url: string,
    readonly drive_id: string,
    private readonly token: string,
    readonly user_id: string,
    readonly name: string,
  ) {}

  /** @param reason stored with the events @throws Error if the request is refused */
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of all operations
  async post(path: string, body: object, reason?: string): Promise<any> {
    const { ok } = await this.send('POST', path, JSON.stringify(body), {
      'content-type': 'application/json',
      ...(reason !== undefined && { 'audit-reason': reason }),
    });
    return ok.data;
  }

  /** Runs one action on files and folders. @throws Error if it is refused */
  // oxlint-disable-next-line typescript/no-explicit-any -- results of all actions
  async act(action: string, payload: object): Promise<any> {
    const [outcome] = await this.post('directory/action?envelope=ok', {
      actions: [{ action, payload }],
    });
    const { result, error } = outcome.response;
    if (error) throw new Error(`${this.name}: ${action}: ${error.message}`);
    return result;
  }

  /** Uploads the content of a file. @throws Error if it is refused */
  async upload(file_id: string, content: string): Promise<void> {
    await this.send('PUT', `directory/content/${file_id}`, content, {
      'content-type': 'application/octet-stream',
    });
  }

  private async send(
    method: 'POST' | 'PUT',
    path: string,
    body: string,
    headers: Record<string, string>,
    // oxlint-disable-next-line typescript/no-explicit-any -- answers of all operations
  ): Promise<any> {
    const answer = await fetch(`${this.url}/v1/drive/${this.drive_id}/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, ...headers },
      body,
    });
    if (!answer.ok)
      throw new Error(`${this.name}: ${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }
}
