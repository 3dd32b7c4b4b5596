import { newDriveState } from '../../../libs/domain/drive/state.js';
import { event } from '../../../libs/domain/foundation/events.js';
import { Access } from '../../../libs/domain/access/access.js';
import { evolve } from '../../../libs/domain/drive/evolve.js';
import { Child } from '../harness/process.js';
import { Random } from '../harness/random.js';
import { show } from '../harness/report.js';
import type { Line, Row } from '../harness/row.js';
import { percentile } from '../harness/statistics.js';
import { MixedDrive, seededDrive } from '../seed/plans.js';

interface Input {
  readonly grants: number;
  readonly checks: number;
}

type Result = Record<string, { p50_us: number; p99_us: number }>;

/** A single permission check in a state with many grants. */
export const row: Row = {
  name: 'permission',
  async run(bench): Promise<readonly Line[]> {
    const input: Input = bench.is_quick
      ? { grants: 20_000, checks: 20_000 }
      : { grants: 100_000, checks: 200_000 };
    const found = await Child.inside<Result>('rows/permission', input, bench);
    return Object.entries(found).map(([what, { p50_us, p99_us }]) => ({
      what: `${what}, ${show(input.grants)} grants, in the process`,
      target: 'p99 ≤ 50 µs',
      measured: `p50 ${show(p50_us)} µs, p99 ${show(p99_us)} µs`,
      reference: '',
      holds: p99_us <= 50,
      figures: { p50_us, p99_us },
    }));
  },
};

export async function inside({ grants, checks }: Input): Promise<Result> {
  const drive = seededDrive(1);
  const state = newDriveState(drive.drive_id);
  const random = new Random(2);
  const apply = (one: { type: string; data: unknown }): void => {
    const facts = { event_id: random.uuid(), timestamp_ms: 1, revision: state.revision + 1 };
    evolve(state, { ...facts, ...one });
    state.undo_log.forget();
  };
  // A quarter of all records of this plan are system grants.
  const plan = new MixedDrive(drive, 1).events({ records: grants * 4, events: 0 });
  for (const one of plan) apply(one);
  const now = Date.now();
  const groups = [...state.groups.ids()];
  const users = [...state.contacts.ids()];
  const roots = [...state.folders.ids()];
  const measure = (check: () => unknown, before?: () => void): Result[string] => {
    const taken = new Float64Array(checks);
    for (let at = 0; at < checks / 4; at++) check();
    for (let at = 0; at < checks; at++) {
      before?.();
      const started = process.hrtime.bigint();
      check();
      taken[at] = Number(process.hrtime.bigint() - started) / 1000;
    }
    return { p50_us: percentile(taken, 0.5), p99_us: percentile(taken, 0.99) };
  };
  const anybody = (): Access => new Access(state, random.pick(users), now);
  return {
    'check of a system permission, any user and group': measure(() =>
      anybody().can('EDIT', random.pick(groups)),
    ),
    'check of a directory permission, any user and disk': measure(() =>
      anybody().canDirectory('EDIT', random.pick(roots)),
    ),
    'the same just after an invite changed': measure(
      () => anybody().can('EDIT', random.pick(groups)),
      () => {
        const [invite_id] = state.invites.ids();
        apply(event('GroupInviteUpdated', { invite_id: invite_id!, note: 'changed' }));
      },
    ),
  };
}
