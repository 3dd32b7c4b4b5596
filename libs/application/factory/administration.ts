import type { SpawnedDrive } from '../../domain/factory/record.js';
import { type GiftcardView, presentGiftcard } from '../../domain/giftcards/reads.js';
import { STATE_VERSION } from '../../domain/drive/state.js';
import { refuse } from '../../domain/kernel/refusal.js';
import { stateQuery } from '../drive-query.js';
import { flag, integer, type Shown, text, view } from '../../domain/kernel/view.js';

/** The whole state of the factory, with secrets masked. */
interface FactoryDump {
  giftcards: (GiftcardView & { drive_id: string | null })[];
  drives: Pick<SpawnedDrive, 'id' | 'created_at'>[];
  timestamp_ms: number;
}

export const migrationView = view('Migration', {
  success: flag<true>({ example: true }),
  message: text(),
  state_version: integer('Version of the record format in states'),
  drives: integer('Number of organizations'),
  timestamp_ms: integer(),
});
export type Migration = Shown<typeof migrationView>;

/** The whole state of the factory, for debugging. */
export const DumpFactory = stateQuery<{ production: boolean }, FactoryDump>(
  'DumpFactory',
  (context, { production }) => {
    const { state, caller, now } = context;
    if (production || !caller.is_factory_admin) return refuse('forbidden');
    const masked = { ...context, masked: true };
    return {
      giftcards: [...state.giftcards.values()].map((card) => ({
        ...presentGiftcard(masked, card),
        drive_id: card.drive_id,
      })),
      drives: [...state.spawned_drives.values()].map(({ id, created_at }) => ({
        id,
        created_at,
      })),
      timestamp_ms: now,
    };
  },
);

/**
 * Migrates stored data to this release. There is never anything to migrate: events are read in the version in which
 * they were written, and derived data is rebuilt when needed.
 */
export const Migrate = stateQuery<Record<never, never>, Migration>(
  'Migrate',
  ({ state, caller, now }) => {
    if (!caller.is_factory_admin) return refuse('forbidden');
    return {
      success: true as const,
      message: 'Nothing to migrate: stored events are read in the form in which they were written',
      state_version: STATE_VERSION,
      drives: state.spawned_drives.size,
      timestamp_ms: now,
    };
  },
);
