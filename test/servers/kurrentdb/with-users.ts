import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { issueCertificate } from '../certificate.js';
import { type KurrentServer, startKurrentServer } from './server.js';

export const ADMIN_PASSWORD = 'e07c5d1a-administrator';
export const DRIVE_PASSWORD = '5be1f2a9-of-the-service';

/** A server with TLS, the administrator `admin`, the user `drive` and a user of somebody else. */
export interface ServerWithUsers {
  readonly server: KurrentServer;
  /** Connection string of a user, by default the service's. */
  url(login?: string, password?: string): string;
  /** A file beside the certificates. */
  file(name: string, text: string): string;
  close(): Promise<void>;
}

export async function startWithUsers(): Promise<ServerWithUsers> {
  const { ca, cert, key } = issueCertificate();
  const folder = mkdtempSync(join(tmpdir(), 'kurrent-users-'));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const ca_file = file('ca.crt', ca);
  const server = await startKurrentServer({
    certificate: { cert, key },
    users: {
      admin: { password: ADMIN_PASSWORD, groups: ['$admins'] },
      drive: { password: DRIVE_PASSWORD },
      reports: { password: 'of-somebody-else' },
    },
  });
  return {
    server,
    file,
    url: (login = 'drive', password = DRIVE_PASSWORD) =>
      `kurrentdb://${login}:${password}@localhost:${server.port}?tls=true&tlsCaFile=${ca_file}`,
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
