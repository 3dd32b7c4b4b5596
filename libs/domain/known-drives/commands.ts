import { KNOWN_DRIVE_DEFAULTS } from './record.js';
import { event } from '../foundation/events.js';
import { type ById, decidedBy, namedCommands } from '../foundation/commands.js';
import { Access } from '../access/access.js';
import { accept, type Decider } from '../foundation/decision.js';
import { type Changes, changes, filled, isEmpty } from '../kernel/fields.js';
import { PREFIX } from '../kernel/ids.js';
import { refuse, refuseField, refuseIdInUse } from '../kernel/refusal.js';
import { deletion, recordAnswers } from '../foundation/record-answers.js';
import { presentKnownDrive } from './reads.js';

/** Absent fields get their default. */
export interface CreateKnownDrive extends Partial<typeof KNOWN_DRIVE_DEFAULTS> {
  /** Absent: derived from the principal. */
  id?: string;
  name: string;
  icp_principal: string;
  host_url?: string;
}

export interface UpdateKnownDrive extends Changes<typeof KNOWN_DRIVE_DEFAULTS> {
  id: string;
  name?: string;
  icp_principal?: string;
  /** Null: resets to the default. */
  host_url?: string | null;
}

/** The default host of a drive, derived from its principal. */
function defaultHost(icp_principal: string): string {
  return `https://${icp_principal}.icp0.io`;
}

export const createKnownDrive: Decider<CreateKnownDrive> = (context, command) => {
  const { state } = context;
  const { icp_principal } = command;
  const access = Access.of(context);
  const allowed = access.owner() ?? access.system('CREATE', 'TABLE_DRIVES');
  if (!allowed) return access.denied();
  const drive_id = command.id ?? `${PREFIX.drive}${icp_principal}`;
  // A derived id always means the same drive, so it may be reused after a deletion.
  const is_used = command.id ? state.isUsed(state.drives, drive_id) : state.drives.has(drive_id);
  if (is_used) return refuseIdInUse();
  return accept(
    allowed,
    event('KnownDriveCreated', {
      drive_id,
      icp_principal,
      name: command.name,
      host_url: command.host_url ?? defaultHost(icp_principal),
      ...filled(KNOWN_DRIVE_DEFAULTS, command),
    }),
  );
};

export const updateKnownDrive: Decider<UpdateKnownDrive> = (context, command) => {
  const { state } = context;
  const { id: drive_id, host_url } = command;
  const access = Access.of(context);
  const allowed = access.owner() ?? access.system('EDIT', drive_id);
  if (!allowed) return access.denied();
  const drive = state.drives.get(drive_id);
  if (!drive) return refuse('drive-not-found');
  const is_own = drive_id === state.drive_id;
  const icp_principal = command.icp_principal ?? drive.icp_principal;
  if (is_own && icp_principal !== drive.icp_principal)
    return refuseField('/icp_principal', 'of this organization itself cannot change');
  const fields = {
    ...changes(KNOWN_DRIVE_DEFAULTS, command, 'name', 'icp_principal'),
    ...(host_url !== undefined && {
      host_url: host_url ?? (is_own ? state.organization.host_url : defaultHost(icp_principal)),
    }),
  };
  if (isEmpty(fields)) return refuse('nothing-to-update');
  return accept(allowed, event('KnownDriveUpdated', { drive_id, ...fields }));
};

export const deleteKnownDrive: Decider<ById> = (context, { id }) => {
  const { state } = context;
  const access = Access.of(context);
  const allowed = access.owner() ?? access.system('DELETE', id);
  if (!allowed) return access.denied();
  if (!state.drives.has(id)) return refuse('drive-not-found');
  if (id === state.drive_id) return refuse('own-drive-undeletable');
  return accept(allowed, event('KnownDriveDeleted', { drive_id: id }));
};

const answers = recordAnswers('drives', presentKnownDrive);

export const knownDriveCommands = namedCommands({
  CreateKnownDrive: decidedBy(createKnownDrive, {
    answer: answers.created('KnownDriveCreated', 'drive_id'),
  }),

  UpdateKnownDrive: answers.update(updateKnownDrive),

  DeleteKnownDrive: deletion(deleteKnownDrive),
});
