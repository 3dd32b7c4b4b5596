import { describeSideStores } from '../side-stores.contract.js';
import { MemorySideStores } from './side-stores.js';

describeSideStores('memory', async () => ({ stores: new MemorySideStores() }));
