import { describeEventStore } from '../event-store.contract.js';
import { MemoryEventStore } from './memory-event-store.js';

describeEventStore('memory', async () => ({ store: new MemoryEventStore() }));
