import { describePartitionLeases } from '../leases.contract.js';
import { MemoryPartitionLeases } from './index.js';

describePartitionLeases('memory', async () => ({ leases: new MemoryPartitionLeases() }));
