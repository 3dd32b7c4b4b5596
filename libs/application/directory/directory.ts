import { RunActionsHandler } from './actions.js';
import { getAssetHandler } from './asset.js';
import { listDirectoryHandler } from './list.js';
import { ExpirySweep } from './sweep.js';
import { ReadActionsHandler } from './read-actions.js';

export const directoryHandlers = [
  RunActionsHandler,
  ReadActionsHandler,
  listDirectoryHandler,
  getAssetHandler,
  ExpirySweep,
];
