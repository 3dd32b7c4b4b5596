import { DriveState } from '../../../libs/domain/drive/state.js';
import type { Drive } from '../../../libs/engine/drive.js';
import type { Drives } from '../../../libs/engine/drives.js';
import { ApiError } from '../platform/errors.js';
import { DriveGuard } from './drive-guard.js';

describe('the guard of a drive', () => {
  it('looks once for what other processes wrote that lets a caller in, however much they write', async () => {
    const state = new DriveState('DriveID_a');
    const drive = { drive_id: 'DriveID_a', state, head: { revision: 0 }, now: () => 0 } as Drive;
    let looked = 0;
    const drives = { shared: true, readOn: async () => ++looked < 5 } as unknown as Drives;
    const guard = new DriveGuard(drives, ...([] as unknown as [never, never, never, never]));
    const entering = guard['signIn'](drive, { kind: 'api_key', digest: 'none' }, {} as never);
    await expect(entering).rejects.toThrow(ApiError);
    expect(looked).toBe(1);
  });
});
