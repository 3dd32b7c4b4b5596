import type { DriveState } from '../foundation/state.js';
import type { DriveEvents } from '../foundation/events.js';
import { apiKeyEvolvers } from '../api-keys/evolve.js';
import { bookmarkEvolvers } from '../bookmarks/evolve.js';
import { contactEvolvers } from '../contacts/evolve.js';
import { directoryEvolvers } from '../directory/evolve.js';
import { diskEvolvers } from '../disks/evolve.js';
import { factoryEvolvers } from '../factory/evolve.js';
import { giftcardEvolvers } from '../giftcards/evolve.js';
import { groupEvolvers } from '../groups/evolve.js';
import type { EventFacts } from '../kernel/event.js';
import { knownDriveEvolvers } from '../known-drives/evolve.js';
import { labelEvolvers } from '../labels/evolve.js';
import { organizationEvolvers } from '../organization/evolve.js';
import { permissionEvolvers } from '../permissions/evolve.js';
import { purchaseEvolvers } from '../purchases/evolve.js';
import { webhookEvolvers } from '../webhooks/evolve.js';
import type { Evolvers, FoldedEvent } from '../foundation/evolver.js';

const evolvers: Evolvers<DriveEvents> = {
  ...organizationEvolvers,
  ...contactEvolvers,
  ...groupEvolvers,
  ...diskEvolvers,
  ...directoryEvolvers,
  ...permissionEvolvers,
  ...apiKeyEvolvers,
  ...labelEvolvers,
  ...knownDriveEvolvers,
  ...purchaseEvolvers,
  ...bookmarkEvolvers,
  ...webhookEvolvers,
  ...factoryEvolvers,
  ...giftcardEvolvers,
};

type AnyEvolver = (state: DriveState, data: unknown, facts: EventFacts) => void;
const by_type = new Map(Object.entries(evolvers) as [string, AnyEvolver][]);

/**
 * Applies the next event. An event of an unknown type changes nothing but is remembered: the state
 * is then no longer what the stream says, and whoever serves it must close the drive.
 */
export function evolve(state: DriveState, event: FoldedEvent): void {
  state.journal.revision = event.revision;
  state.timestamp_ms = event.timestamp_ms;
  const evolver = by_type.get(event.type);
  if (evolver) evolver(state, event.data, event);
  else state.unknown_events.add(event.type);
}
