import { Client } from '../../support/client.js';
import type { Child } from './process.js';

/** An organization made through the API. */
export interface Made {
  readonly drive_id: string;
  /** The owner's. */
  readonly token: string;
}

/** Makes organizations by quickstart, a few at a time. */
export async function makeOrganizations({ port }: Child, count: number): Promise<Made[]> {
  const client = new Client(`http://127.0.0.1:${port}`);
  const made: Made[] = [];
  for (let at = 0; at < count; at++) {
    const { data, status } = await client.post('/v1/factory/quickstart', { org_name: `Org ${at}` });
    if (status !== 200) throw new Error(`quickstart answered ${status}`);
    made.push({ drive_id: data.organization.drive_id, token: data.admin.api_key_value });
  }
  return made;
}
