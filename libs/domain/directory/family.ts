import { folderFamily } from '../disks/record.js';
import { family } from '../foundation/family.js';
import { directoryCommands } from './definitions.js';
import { type DirectoryEvents, directorySchemas } from './events.js';
import { directoryEvolvers } from './evolve.js';
import { fileReads, folderReads } from './reads.js';
import { contentFamily, fileFamily, fileVersionFamily, directoryRefusals } from './record.js';
import { directorySummaries } from './summaries.js';

/** Files and folders on disks. */
export const directory = family<DirectoryEvents>()({
  records: {
    folders: folderFamily,
    files: fileFamily,
    file_versions: fileVersionFamily,
    contents: contentFamily,
  },
  events: directorySchemas,
  evolve: directoryEvolvers,
  summaries: directorySummaries,
  refusals: directoryRefusals,
  commands: directoryCommands,
  reads: { folders: folderReads, files: fileReads },
});
