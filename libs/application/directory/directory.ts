import { readActionsHandler, RunActionsHandler } from './actions.js';
import { getAssetHandler } from './asset.js';
import { listDirectoryHandler } from './list.js';
import { ExpirySweep } from './sweep.js';

export const directoryHandlers = [
  RunActionsHandler,
  readActionsHandler,
  listDirectoryHandler,
  getAssetHandler,
  ExpirySweep,
];
