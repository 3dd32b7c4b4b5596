import type { Summaries } from '../foundation/summary-context.js';
import type { FactoryEvents } from './events.js';

export const factorySummaries: Summaries<FactoryEvents> = {
  DriveSpawned: (_, { drive_id }) => `The organization ${drive_id} came to be`,
  DriveImportBegun: (_, { drive_id }) => `The import of the organization ${drive_id} began`,
  DriveImported: (_, { drive_id, revision }) =>
    `The organization ${drive_id} was imported up to revision ${revision}`,
};
