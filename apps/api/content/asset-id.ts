import { fault, Fault, Rule } from '../platform/requests/rule.js';
import { id } from '../platform/requests/rules.js';

const file_id = id('FileID_');

/** A file id, optionally followed by a dot and an extension, which is ignored. */
export const assetFileId = new Rule({ type: 'string' }, (value) => {
  if (typeof value !== 'string') return fault('must be a string');
  const dot = value.lastIndexOf('.');
  const read = file_id.read(dot < 0 ? value : value.slice(0, dot));
  return read instanceof Fault ? fault('must be a file id, optionally with an extension') : read;
});
