import type { Summaries } from '../drive/telling.js';
import type { FactoryEvents } from './events.js';

export const factorySummaries: Summaries<FactoryEvents> = {
  DriveSpawned: (_, { drive_id }) => `The organization ${drive_id} came to be`,
};
