import type { components } from './generated/api.js';

type Schemas = components['schemas'];

/** Payload and result of each action on files and folders. */
export interface Actions {
  GET_FILE: [Schemas['GetFilePayload'], Schemas['FileRead']];
  GET_FOLDER: [Schemas['GetFolderPayload'], Schemas['FolderRead']];
  CREATE_FILE: [Schemas['CreateFilePayload'], Schemas['FileStored']];
  CREATE_FOLDER: [Schemas['CreateFolderPayload'], Schemas['FolderStored']];
  UPDATE_FILE: [Schemas['UpdateFilePayload'], Schemas['FileStored']];
  UPDATE_FOLDER: [Schemas['UpdateFolderPayload'], Schemas['FolderStored']];
  DELETE_FILE: [Schemas['DeleteFilePayload'], Schemas['FileDeleted']];
  DELETE_FOLDER: [Schemas['DeleteFolderPayload'], Schemas['FolderDeleted']];
  COPY_FILE: [Schemas['TransferFilePayload'], Schemas['DirectoryFile']];
  COPY_FOLDER: [Schemas['TransferFolderPayload'], Schemas['DirectoryFolder']];
  MOVE_FILE: [Schemas['TransferFilePayload'], Schemas['DirectoryFile']];
  MOVE_FOLDER: [Schemas['TransferFolderPayload'], Schemas['DirectoryFolder']];
  RESTORE_TRASH: [Schemas['RestoreTrashPayload'], Schemas['Restored']];
}

export type ActionName = keyof Actions;

export type PayloadOf<Name extends ActionName> = Actions[Name][0];

export type ResultOf<Name extends ActionName> = Actions[Name][1];
