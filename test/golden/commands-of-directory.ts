import { directoryCommands } from '../../libs/domain/directory/definitions.js';
import { knownDriveCommands } from '../../libs/domain/known-drives/commands.js';
import { purchaseCommands } from '../../libs/domain/purchases/commands.js';
import { DAY_MS, GOLDEN_DRIVE, type Steps } from './golden-run.js';

const { CreateFolder, CreateFile, UpdateFile, UpdateFolder, CopyFolder, CopyFile } =
  directoryCommands;
const { MoveFile, MoveFolder, DeleteFile, DeleteFolder, RestoreTrash } = directoryCommands;

const PLACE = { parent_folder_uuid: 'FolderID_root-2', disk_id: 'DiskID_2' };
const item = (kind: 'File' | 'Folder', nth: number) => ({
  id: `${kind}ID_${nth}`,
  version_id: `FileVersionID_${nth}`,
  permission_id: `DirectoryPermissionID_own-${nth}`,
});

/** Commands of files and folders. */
export const directory = {
  CreateFolder: ({ run }) =>
    run(CreateFolder, {
      ...PLACE,
      name: 'Reports',
      notes: 'by year',
      labels: ['soon'],
      fresh: item('Folder', 1),
    }),
  async CreateFile({ run, spec }) {
    const in_reports = { ...PLACE, parent_folder_uuid: 'FolderID_1' };
    await run(CreateFile, {
      ...in_reports,
      name: 'plan: a.txt',
      file_size: 12,
      expires_at: spec.now + 900 * DAY_MS,
      fresh: item('File', 1),
    });
    await run(CreateFile, {
      ...in_reports,
      name: 'plan; a.txt',
      file_size: 13,
      raw_url: 'https://files.example/plan',
      file_conflict_resolution: 'REPLACE',
      fresh: item('File', 2),
    });
  },
  UpdateFile: ({ run }) =>
    run(UpdateFile, {
      ...{ id: 'FileID_1', name: 'plan.md', upload_status: 'PENDING' },
      fresh: item('File', 3),
    }),
  UpdateFolder: ({ run }) =>
    run(UpdateFolder, { id: 'FolderID_1', labels: [], external_id: 'erp-8' }),
  async CopyFolder({ run }) {
    await run(CreateFolder, {
      ...PLACE,
      name: 'Archive',
      has_sovereign_permissions: true,
      fresh: item('Folder', 2),
    });
    const destination_folder_id = 'FolderID_2';
    await run(CopyFolder, { id: 'FolderID_1', destination_folder_id, fresh: item('Folder', 3) });
  },
  CopyFile: ({ run }) =>
    run(CopyFile, {
      ...{ id: 'FileID_1', destination_folder_id: 'FolderID_2' },
      fresh: item('File', 6),
    }),
  MoveFile: ({ run }) =>
    run(MoveFile, { id: 'FileID_1', destination_folder_id: 'FolderID_2' }),
  MoveFolder: ({ run }) =>
    run(MoveFolder, { id: 'FolderID_1', destination_folder_id: 'FolderID_2' }),
  DeleteFile: ({ run }) => run(DeleteFile, { id: 'FileID_1', permanent: false }),
  RestoreTrash: ({ run }) =>
    run(RestoreTrash, {
      id: 'FileID_1',
      restore_to_folder_path: 'DiskID_2::/Back/',
      fresh: { folder_ids: ['FolderID_4'] },
    }),
  DeleteFolder: ({ run }) => run(DeleteFolder, { id: 'FolderID_1', permanent: true }),
  async SweepExpired({ run, spec }) {
    await run(CreateFolder, {
      ...PLACE,
      name: 'Soon over',
      expires_at: spec.now + 1500,
      fresh: item('Folder', 5),
    });
    await run(directoryCommands.SweepExpired, { most: 9 }, { kind: 'system' });
  },
} satisfies Steps;

const { CreateKnownDrive, UpdateKnownDrive, DeleteKnownDrive } = knownDriveCommands;
const { CreatePurchase, UpdatePurchase, DeletePurchase } = purchaseCommands;
const PRINCIPAL = 'aaaaa-aa';

/** Commands of known drives and purchases. */
export const partners = {
  async CreateKnownDrive({ run }) {
    const partner = { name: 'Partner', icp_principal: PRINCIPAL, email: 'partner@example.com' };
    await run(CreateKnownDrive, partner);
    await run(CreateKnownDrive, { ...partner, id: 'DriveID_other', private_note: 'owes us' });
  },
  async UpdateKnownDrive({ run }) {
    const other = { id: 'DriveID_other', email: 'other@example.com', host_url: null };
    await run(UpdateKnownDrive, other);
    await run(UpdateKnownDrive, { id: GOLDEN_DRIVE, name: 'Renamed' });
  },
  DeleteKnownDrive: ({ run }) => run(DeleteKnownDrive, { id: `DriveID_${PRINCIPAL}` }),
  async CreatePurchase({ run }) {
    for (const nth of [1, 2])
      await run(CreatePurchase, {
        title: `Hosting ${nth}`,
        vendor_id: 'UserID_ben',
        related_resources: ['UserID_ben', 'DiskID_2'],
        fresh: { purchase_id: `PurchaseID_${nth}` },
      });
  },
  UpdatePurchase: ({ run }) =>
    run(UpdatePurchase, { id: 'PurchaseID_1', status: 'RUNNING', notes: 'as agreed' }),
  DeletePurchase: ({ run }) => run(DeletePurchase, { id: 'PurchaseID_2' }),
} satisfies Steps;
