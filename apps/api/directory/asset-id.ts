import { fault, Fault, Rule } from '../platform/requests/rule.js';
import { id } from '../platform/requests/rules.js';

const file_id = id('FileID_');

/** A file's id, as far as the last dot: what follows is the extension, for those who look at names. */
export const assetFileId = new Rule({ type: 'string' }, (value) => {
  if (typeof value !== 'string') return fault('must be text');
  const dot = value.lastIndexOf('.');
  const read = file_id.read(dot < 0 ? value : value.slice(0, dot));
  return read instanceof Fault ? fault('must be the id of a file and its extension') : read;
});
