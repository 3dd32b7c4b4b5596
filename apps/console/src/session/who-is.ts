import { openDrive } from '../api/drive.js';
import type { Session } from './sessions.js';

/** Asks the server whose key it is. @throws DriveError; ConnectionError */
export async function whoIs(drive_id: string, key: string): Promise<Session> {
  const me = await openDrive(drive_id, key).organization.whoami();
  return {
    drive_id,
    key,
    org_name: me.drive_nickname,
    user_id: me.userID,
    user_name: me.nickname,
  };
}
