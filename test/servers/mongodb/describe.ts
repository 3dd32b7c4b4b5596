import { describeWith } from '../../support/needs.js';

/** `describe` for specs that start a MongoDB server: skipped where this machine can have none. */
export const describeWithMongo = describeWith('mongodb');
