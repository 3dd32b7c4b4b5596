import type { DriveState } from '../../libs/domain/foundation/state.js';
import * as fc from 'fast-check';
import { READ_SCHEMA } from '../../libs/application/read-schema.js';
import type { Context } from '../../libs/domain/foundation/decision.js';
import { FAMILIES } from '../../libs/domain/drive/families.js';
import { organizationCommands } from '../../libs/domain/organization/commands.js';
import { Box } from '../../libs/domain/kernel/sealed.js';
import { SPEC_SETTINGS } from '../../libs/domain/testing/drive.js';
import type { Keyring } from '../../libs/engine/keys/keyring.js';
import { rebuildReadModel } from '../../libs/engine/read-models/rebuild.js';
import { PastStates } from '../../libs/engine/past/past-states.js';
import { StateHash } from '../../libs/engine/proofs/state-hash.js';
import { foldOnto } from '../../libs/engine/fold/fold.js';
import { readSnapshot, writeSnapshot } from '../../libs/engine/snapshots/snapshot.js';
import { stateSource } from '../../libs/engine/read-models/source.js';
import { DRIVE_A } from '../../libs/engine/testing/engine.js';
import { inTurns } from '../../libs/engine/tasks/turns.js';
import { repeating } from '../../libs/read-model/memory/testing/repeating.js';
import { StateReads } from '../../libs/read-model/memory/state-reads.js';
import { MAKERS } from './generators/all.js';
import { aStep, COMMAND_NAMES, contentSteps, manySteps } from './random-commands.js';
import { besides, check, everything, RandomDrive, RUNS } from './support.js';

/** The owner's view of a state, without presence. */
function asOwner(state: DriveState, now: number, { open }: Keyring): Context {
  const user_id = state.organization.owner_id;
  return {
    state,
    now,
    caller: { user_id, api_key_id: null, via: 'SIGNATURE', key_expires_at: -1 },
    open,
    settings: SPEC_SETTINGS,
    lastOnline: () => 0,
    masked: false,
  };
}

/** A state with everything that hashes do not cover. */
function all(state: DriveState): unknown {
  const { revision, timestamp_ms, subjects, undo_log } = state;
  const { onReplace } = undo_log;
  // Takes the place of the state's own hash.
  const hash = new StateHash(state).root();
  undo_log.onReplace = onReplace;
  return { revision, timestamp_ms, hash, subjects: subjects.toJSON(), besides: besides(state) };
}

/** Commands of families whose records are in the stream of the factory. */
const of_factory = FAMILIES.filter((family) => family.of_factory).flatMap(({ commands }) =>
  Object.keys(commands),
);

it('only commands of the factory have no generator', () => {
  const excluded = Object.entries(MAKERS).filter(([, maker]) => 'excluded' in maker);
  expect(excluded.map(([name]) => name).toSorted()).toEqual(of_factory.toSorted());
});

describe('after any commands', () => {
  it('a state moved to and fro is the one folded to its point', async () => {
    const met = { back: 0, followed: 0 };
    await check(
      fc.asyncProperty(
        manySteps,
        fc.array(fc.tuple(fc.nat(0xffff), fc.nat(40)), { minLength: 3, maxLength: 8 }),
        async (steps, spans) => {
          const random = await RandomDrive.start();
          const { events, drives } = random.spec;
          const { loader } = drives;
          const bytes = { past_bytes: Infinity, state_bytes: Infinity };
          const moving = new PastStates({ events, loader, ...bytes, undone: 20 });
          await random.run(steps);
          const { revision } = (await random.drive()).head;
          const { keyring } = await random.drive();
          const readsOf = (state: DriveState): StateReads =>
            new StateReads(READ_SCHEMA, stateSource(state, keyring.open), inTurns);
          const following = new WeakMap<DriveState, StateReads>();
          let at = -1;
          for (const [number, length] of spans) {
            const from = number % (revision + 1);
            const to = Math.min(revision, from + length);
            if (from < at) met.back++;
            at = to;
            const visited: number[] = [];
            const visit = (event: { revision: number }) => void visited.push(event.revision);
            await moving.use(DRIVE_A, from, to, visit, async ({ folded: moved }) => {
              const { folded } = await loader.load(DRIVE_A, { to });
              expect(all(moved.state)).toEqual(all(folded.state));
              expect(moved.hash.root()).toBe(folded.hash.root());
              const known = following.get(moved.state);
              if (known) met.followed++;
              const reads = known ?? readsOf(moved.state);
              following.set(moved.state, reads);
              const context = asOwner(folded.state, folded.state.timestamp_ms, keyring);
              const listed = await everything(reads, context);
              expect(listed).toEqual(await everything(readsOf(folded.state), context));
            });
            expect(visited).toEqual(Array.from({ length: to - from }, (_, nth) => from + 1 + nth));
          }
        },
      ),
      'moved',
    );
    expect(met.back).toBeGreaterThan(0);
    expect(met.followed).toBeGreaterThan(0);
  });

  it.each([
    // Reads make no event, and what moves, copies and deletes files makes the same ones for folders.
    ['any commands', manySteps, { types: COMMAND_NAMES.length - 14, among: [] }],
    [
      'commands of content',
      contentSteps,
      { types: 10, among: ['FileContentStored', 'VersionsReleased', 'ContentsDeleted'] },
    ],
  ])('live, folded, from a snapshot and rebuilt are one: %s', async (name, any_steps, expected) => {
    const met = { accepted: 0, refused: 0, types: new Set<string>() };
    await check(
      fc.asyncProperty(any_steps, fc.nat(0xffff), async (steps, cut) => {
        const random = await RandomDrive.start();
        const { spec } = random;
        await random.run(steps);
        const drive = await random.drive();
        const folded = await spec.folded();
        const hash = folded.hash.root();
        expect(drive.folded.hash.root()).toBe(hash);
        expect(drive.folded.frontier.toJSON()).toEqual(folded.frontier.toJSON());
        expect(besides(drive.state)).toEqual(besides(folded.state));

        const to = cut % (drive.head.revision + 1);
        const early = (await spec.drives.loader.load(DRIVE_A, { to })).folded;
        const thawed = await readSnapshot(DRIVE_A, await writeSnapshot(early));
        expect(thawed.hash.root()).toBe(early.hash.root());
        await foldOnto(thawed, spec.events, { to: Infinity });
        expect(thawed.hash.root()).toBe(hash);
        expect(besides(thawed.state)).toEqual(besides(folded.state));

        const source = stateSource(folded.state, drive.keyring.open);
        const indexed = await everything(
          new StateReads(READ_SCHEMA, source, inTurns),
          asOwner(folded.state, spec.now, drive.keyring),
        );
        const live = () =>
          everything(repeating(drive.reads!), asOwner(drive.state, spec.now, drive.keyring));
        expect(await live()).toEqual(indexed);

        await rebuildReadModel(spec.drives, drive, {
          events_folded: 0,
          events_total: 0,
          documents_written: 0,
        });
        expect(drive.folded.hash.root()).toBe(hash);
        expect(await live()).toEqual(indexed);
        await spec.group('usable');
        expect(drive.folded.hash.root()).toBe((await spec.folded()).hash.root());

        met.accepted += random.accepted;
        met.refused += random.refused;
        const stored = await spec.events.readStream(`drive-${DRIVE_A}`, 0, 'forward', 100_000);
        for (const { type } of stored) met.types.add(type);
      }),
      `one fold: ${name}`,
    );
    process.stdout.write(
      `${met.accepted} accepted, ${met.refused} refused, ${met.types.size} event types\n`,
    );
    expect(met.accepted).toBeGreaterThan(met.refused / 4);
    expect(met.types.size).toBeGreaterThan(expected.types);
    expect([...met.types]).toEqual(expect.arrayContaining(expected.among));
  });

  it('a failed append leaves state, indexes and references as they were', async () => {
    await check(
      fc.asyncProperty(
        manySteps,
        fc.array(aStep, { minLength: 20, maxLength: 60, size: 'max' }),
        async (steps, doomed) => {
          const random = await RandomDrive.start();
          const { spec } = random;
          await random.run(steps);
          const drive = await random.drive();
          const before = { hash: drive.folded.hash.root(), besides: besides(drive.state) };
          const { frontier, timestamp_ms } = drive.head;
          spec.events.onAppend(() => Promise.reject(new Error('the disk is full')));
          const asked = spec.events.asked.length;
          const results = await Promise.allSettled(
            doomed.map((step) => random.start(step, drive.state)),
          );
          // One batch only; where nothing was accepted nothing was asked of the store.
          expect(spec.events.asked.length - asked).toBeLessThanOrEqual(1);
          expect(results).toHaveLength(doomed.length);
          expect(drive.folded.hash.root()).toBe(before.hash);
          expect(besides(drive.state)).toEqual(before.besides);
          expect(drive.head.timestamp_ms).toBe(timestamp_ms);
          expect(drive.head.frontier.toJSON()).toEqual(frontier.toJSON());
          expect(drive.state.timestamp_ms).toBe(timestamp_ms);
          const folded = await spec.folded();
          expect(besides(drive.state)).toEqual(besides(folded.state));
          expect(folded.hash.root()).toBe(before.hash);
        },
      ),
      'undo',
    );
  });

  it('batches that readers roll back while they are appended leave the state that folding gives', async () => {
    let rolled_back = 0;
    await check(
      fc.asyncProperty(
        manySteps,
        fc.array(fc.array(aStep, { minLength: 1, maxLength: 4 }), {
          minLength: 20,
          maxLength: 40,
          size: 'max',
        }),
        async (steps, batches) => {
          const random = await RandomDrive.start();
          const { spec } = random;
          await random.run(steps);
          const drive = await random.drive();
          const look = () => {
            const { revision } = drive.state;
            return { revision, hash: drive.folded.hash.root(), besides: besides(drive.state) };
          };
          let met = look();
          for (const batch of batches) {
            const before = look();
            met = before;
            spec.events.onAppend(async (store) => {
              await new Promise(setImmediate);
              if (spec.drives.ready(drive.drive_id)) {
                rolled_back += 1;
                met = look();
              }
              return store();
            });
            await Promise.allSettled(batch.map((step) => random.start(step, drive.state)));
            expect(met).toEqual(before);
          }
          const folded = await spec.folded();
          expect(drive.head.revision).toBe(folded.state.revision);
          expect(besides(drive.state)).toEqual(besides(folded.state));
          expect(drive.folded.hash.root()).toBe(folded.hash.root());
          expect(drive.folded.frontier.toJSON()).toEqual(folded.frontier.toJSON());
        },
      ),
      'undo',
    );
    expect(rolled_back).toBeGreaterThan(0);
  });

  it('a superswap leaves no trace of the old id but in history, placeholders and texts', async () => {
    let swaps = 0;
    await check(
      fc.asyncProperty(manySteps, fc.nat(0xffff), async (steps, nth) => {
        const random = await RandomDrive.start();
        await random.run(steps);
        const { state } = await random.drive();
        const users = [...state.contacts.ids()];
        const old_id = users[nth % users.length]!;
        const outcome = await random.spec.run(
          organizationCommands.SuperswapUser,
          { current_user_id: old_id, new_user_id: 'UserID_brand-new' },
          { user_id: state.organization.owner_id },
        );
        expect(outcome).toHaveProperty('data');
        swaps++;
        for (const table of state.tables) {
          if (table.definition.name === 'superswaps') continue;
          for (const record of table.values()) {
            const traces = Object.entries(record).filter(([, value]) => holds(value, old_id));
            const names = traces.map(([name]) => name);
            expect(names.filter((name) => !MAY_HOLD_FORMER_IDS.has(name))).toEqual([]);
          }
        }
        expect(state.undo_log.referencesTo(old_id)).toBe(0);
        expect(JSON.stringify(besides(state)).includes(`"${old_id}"`)).toBe(
          state.contacts.count('past_id', old_id) > 0,
        );
      }),
      'superswap',
    );
    expect(swaps).toBe(RUNS);
  });
});

/** Former ids, and what people wrote themselves. */
const MAY_HOLD_FORMER_IDS = new Set([
  'past_user_ids',
  'from_placeholder_user_id',
  'from_placeholder_invitee',
  'from_placeholder_grantee',
  'note',
  'public_note',
  'private_note',
]);

function holds(value: unknown, id: string): boolean {
  if (value instanceof Box) return false;
  return JSON.stringify(value)?.includes(`"${id}"`) ?? false;
}
