import { readActionsHandler, RunActionsHandler } from './actions.js';
import { getAssetHandler } from './asset.js';
import { listDirectoryHandler } from './list.js';

export const directoryHandlers = [
  RunActionsHandler,
  readActionsHandler,
  listDirectoryHandler,
  getAssetHandler,
];
