import { Drive } from '../api/request.js';
import type { Session } from './sessions.js';

interface WhoAmI {
  readonly userID: string;
  readonly nickname: string;
  readonly drive_nickname: string;
}

/** Asks the server whose key it is. @throws RequestFailed */
export async function whoIs(drive_id: string, key: string): Promise<Session> {
  const me = await new Drive(drive_id, key).get<WhoAmI>('organization/whoami');
  return {
    drive_id,
    key,
    org_name: me.drive_nickname,
    user_id: me.userID,
    user_name: me.nickname,
  };
}
