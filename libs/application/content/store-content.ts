import { directoryCommands } from '../../domain/directory/definitions.js';
import { admitPut, type PutTarget } from '../../domain/directory/content/put.js';
import { admitUpload, type Room, type UploadTarget } from '../../domain/directory/content/store.js';
import type { Context } from '../../domain/foundation/decision.js';
import { isRefusal } from '../../domain/kernel/refusal.js';
import { Unavailable } from '../../engine/writer/call.js';
import { driveCommand } from '../drive-command.js';
import { nowQuery } from '../drive-query.js';
import { mediaTypeOf } from '../directory/media-type.js';

export const StoreContent = driveCommand(directoryCommands.StoreContent);

/** Stores received bytes as those of the file with a name in a folder, which may be new. */
export const PutFile = driveCommand(directoryCommands.PutFile);

/** What a caller may upload. */
export interface UploadAdmitted {
  readonly disk_id: string;
  readonly room: Room;
  /** Type for the file's name, if the upload has none. */
  readonly media_type: string;
}

/** Checks an upload before its bytes are received. */
export const AdmitUpload = nowQuery<UploadTarget | PutTarget, UploadAdmitted>(
  'AdmitUpload',
  (_, drive, context, target) => {
    const admitted = admit(context, target);
    if (isRefusal(admitted)) return admitted;
    if (drive.keyring.is_foreign) throw new Unavailable('sealed');
    const { name, ...place } = admitted;
    return { ...place, media_type: mediaTypeOf(name) };
  },
);

function admit(context: Context, target: UploadTarget | PutTarget) {
  if ('name' in target) {
    const admitted = admitPut(context, target);
    if (isRefusal(admitted)) return admitted;
    const { disk_id, room } = admitted;
    return { disk_id, room, name: target.name };
  }
  const admitted = admitUpload(context, target);
  if (isRefusal(admitted)) return admitted;
  const { file, disk, room } = admitted;
  return { disk_id: disk.id, room, name: file.name };
}
