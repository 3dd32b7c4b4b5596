import { describeEventStore } from '../event-store.contract.js';
import { MemoryEventStore } from './event-store.js';

describeEventStore('memory', async () => ({ store: new MemoryEventStore() }));
