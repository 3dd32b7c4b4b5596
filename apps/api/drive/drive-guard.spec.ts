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
