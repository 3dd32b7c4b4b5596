import type { Credential } from '../../libs/domain/access/caller.js';
import type { CommandDefinition } from '../../libs/domain/foundation/decision.js';
import type { Commands } from '../../libs/domain/drive/families.js';
import { isRefused } from '../../libs/engine/writer/call.js';
import { sha256 } from '../../libs/engine/proofs/hashing.js';
import { EngineSpec } from '../../libs/engine/testing/engine.js';

export const GOLDEN_DRIVE = 'DriveID_golden';
/** An organization that a gift card spawned. */
export const GIFT_DRIVE = 'DriveID_gift';
export const OWNER = 'UserID_owner';
export const SUBJECTS = ['owner', 'member', 'ann', 'ben', 'next'].map((who) => `subject-${who}`);
export const DAY_MS = 86_400_000;

/** A key that is the same for ever. */
export const fixedKey = (key_id: string): Uint8Array => sha256(`golden key ${key_id}`);

export const apiKey = (nth: number) => ({
  api_key_id: `ApiKeyID_${nth}`,
  value: `token ${nth}`,
  digest: `digest of token ${nth}`,
  last4: `tok${nth}`,
});
export const code = (nth: number) => ({
  code: `RedeemTokenID_${nth}`,
  code_digest: `digest of code ${nth}`,
});
export const disk = (nth: number) => ({
  disk_id: `DiskID_${nth}`,
  root_folder: `FolderID_root-${nth}`,
  trash_folder: `FolderID_trash-${nth}`,
  everyone_permission_id: `DirectoryPermissionID_everyone-${nth}`,
  root_permission_id: `DirectoryPermissionID_root-${nth}`,
  trash_permission_id: `DirectoryPermissionID_trash-${nth}`,
});
export const grant = (kind: string, nth: number) => ({
  permission_id: `${kind}PermissionID_${nth}`,
  placeholder_id: `PlaceholderPermissionGranteeID_${kind}-${nth}`,
  ...code(100 + nth),
});

/** Runs one command, and before it those that it needs. */
type Step = (golden: GoldenRun) => Promise<void>;

/** Steps in the order in which they run. */
export type Steps = { readonly [Name in keyof Commands]?: Step };

/** What the commands of the golden files are run with: one after the other, a second apart. */
export class GoldenRun {
  readonly spec = new EngineSpec();

  readonly run = async <Command, Answer>(
    definition: CommandDefinition<Command, Answer>,
    command: NoInfer<Command>,
    credential: Credential = { kind: 'signature', user_id: OWNER },
    drive_id = GOLDEN_DRIVE,
  ): Promise<void> => {
    this.spec.now += 1000;
    const request = {
      credential,
      correlation_id: `request-${this.spec.now}`,
      reason: definition.name.startsWith('Delete') ? 'because it was not needed' : null,
      idempotency: definition.name === 'CreateGroup' ? { key: `a${this.spec.now}`, body: 'b2' } : null,
    };
    const outcome = await this.spec.drives.commands.run(drive_id, definition, command, request);
    if (isRefused(outcome)) throw new Error(`${definition.name}: ${outcome.refusal.refusal}`);
  };
}
