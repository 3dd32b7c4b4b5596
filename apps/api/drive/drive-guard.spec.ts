import type { CommandBus } from '@nestjs/cqrs';
import { newDriveState } from '../../../libs/domain/drive/state.js';
import type { DriveState } from '../../../libs/domain/foundation/state.js';
import type { Credential } from '../../../libs/domain/access/caller.js';
import { OWNER, SpecDrive } from '../../../libs/domain/testing/drive.js';
import { Unavailable } from '../../../libs/engine/writer/call.js';
import type { Drive } from '../../../libs/engine/writer/drive.js';
import type { Drives } from '../../../libs/engine/drives/drives.js';
import { Presence } from '../../../libs/engine/read-models/presence.js';
import { ApiError } from '../platform/errors.js';
import { ROLES } from '../../../libs/engine/drives/role.js';
import { DriveGuard } from './drive-guard.js';
import type { DriveRequest } from './drive-request.js';

describe('the guard of a drive', () => {
  /** Signs in with a credential in a state. */
  const signIn = (
    drives: Partial<Drives>,
    state: DriveState,
    credential: Credential,
    execute: () => Promise<never> = () => Promise.reject(new Error('no command')),
  ) => {
    const drive = { drive_id: 'DriveID_a', state, head: { revision: 0 }, now: () => 0 };
    const guard = new DriveGuard(
      drives as Drives,
      { execute } as unknown as CommandBus,
      ...([] as unknown as [never, never, never, never, never]),
    );
    const request = { id: 'r', headers: {} } as never;
    const presence = new Presence(new Map(), 0);
    return guard['signIn']({ ...drive, presence } as Drive, credential, request);
  };

  it('reads events of other processes once before it refuses a caller, however many follow', async () => {
    let looked = 0;
    const drives = { role: ROLES.replica, readOn: async () => ++looked < 5 };
    const state = newDriveState('DriveID_a');
    const entering = signIn(drives, state, { kind: 'api_key', digest: 'none' });
    await expect(entering).rejects.toThrow(ApiError);
    expect(looked).toBe(1);
  });

  it.each([
    ['knows a key that another process has just made', 'made', 'api_key'],
    ['is anonymous to a route that needs no token with a key that nobody has', 'none', 'anonymous'],
  ])('a caller %s', async (_, digest, kind) => {
    const drive = { drive_id: 'DriveID_a', state: newDriveState('DriveID_a'), now: () => 0 };
    const readOn = async (): Promise<boolean> => {
      const lives = { is_revoked: false, begins_at: 0, expires_at: -1 };
      const key = { id: 'ApiKeyID_a', user_id: OWNER, digest: 'made', ...lives };
      drive.state.api_keys.put(key as never);
      return true;
    };
    const guard = new DriveGuard(
      { role: ROLES.replica, readOn } as Partial<Drives> as Drives,
      ...([] as unknown as [never, never, never, never, never, never]),
    );
    const request: { headers: object; drive_request?: DriveRequest } = { headers: {} };
    const entry = {
      ...{ drive_id: drive.drive_id, wants_past: false, request, reply: { header: () => {} } },
      rules: { is_limited: false, accepts_as_of: false, token: 'optional' },
    };
    const head = { revision: 0 };
    const presence = new Presence(new Map(), 0);
    const entered = { ...drive, head, presence } as Partial<Drive> as Drive;
    await guard['admit'](entry as never, entered, { kind: 'api_key', digest }, true);
    expect(request.drive_request!.credential).toMatchObject({ kind });
  });

  it('answers 503 if the first sign-in must end a code and that cannot be stored', async () => {
    const { state } = new SpecDrive();
    const owner = state.contacts.get(OWNER)!;
    state.contacts.put({ ...owner, code_ends_on_sign_in: true });
    const credential = { kind: 'signature', user_id: OWNER } as const;
    const entering = signIn({ role: ROLES.embedded }, state, credential, () =>
      Promise.reject(new Unavailable('store-failed')),
    );
    await expect(entering).rejects.toMatchObject({ status: 503, type: 'drive.store-failed' });
  });
});
