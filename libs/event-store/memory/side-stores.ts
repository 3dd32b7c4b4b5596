import { randomBytes } from 'node:crypto';

import { KEY_BYTES } from '../key-wrap.js';
import { Background } from '../sqlite/files/background.js';
import { IN_MEMORY } from '../sqlite/files/database.js';
import { SqliteSideStores } from '../sqlite/side-stores.js';

/** The side stores of SQLite in the memory of this process. */
export class MemorySideStores extends SqliteSideStores {
  constructor() {
    super(IN_MEMORY, randomBytes(KEY_BYTES), new Background());
  }

  /** Stores stay usable: a spec may open them again as another process. */
  override async close(): Promise<void> {}
}
