import { request } from '../api/request.js';
import type { Session } from './sessions.js';

interface WhoAmI {
  readonly userID: string;
  readonly nickname: string;
  readonly drive_nickname: string;
}

/** Asks the server whose key it is. @throws RequestFailed */
export async function whoIs(drive_id: string, key: string): Promise<Session> {
  const me = await request<WhoAmI>(drive_id, key, 'organization/whoami');
  return {
    drive_id,
    key,
    org_name: me.drive_nickname,
    user_id: me.userID,
    user_name: me.nickname,
  };
}
