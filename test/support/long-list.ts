import type { Client } from './client.js';

/** Makes a thousand groups. Their list has more bytes than the buffers of both ends of a connection hold. @returns the request for it */
export async function longList(client: Client): Promise<string> {
  for (let nth = 0; nth < 20; nth++) {
    const commands = Array.from({ length: 50 }, () => ({
      path: 'groups/create',
      body: { name: 'g', public_note: '語'.repeat(2_700) },
    }));
    const { status } = await client.post('/transaction', { commands });
    if (status !== 200) throw new Error(`groups/create: ${status}`);
  }
  return listRequest(client, 1000);
}

/** The bytes of a request for a list of groups. */
export function listRequest({ base, token }: Client, page_size: number): string {
  const body = JSON.stringify({ page_size });
  const head = [
    `POST ${new URL(base).pathname}/groups/list HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${token}`,
    `Content-Length: ${body.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
