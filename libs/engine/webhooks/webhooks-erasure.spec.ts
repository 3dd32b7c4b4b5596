import { contactCommands } from '../../domain/contacts/commands.js';
import { inviteCommands } from '../../domain/groups/definitions.js';
import { webhookCommands } from '../../domain/webhooks/commands.js';
import { ROLES } from '../drives/role.js';
import { DRIVE_A, EngineSpec, PEER } from '../testing/engine.js';
import { eventually } from '../testing/eventually.js';
import { hooked, Receivers, WebhooksSpec, webhooksOf } from '../testing/webhooks.js';
import type { Webhooks } from './webhooks.js';

const HOOK = 'https://hooks.example/a';
const EVENT = { event: 'group.invite.created', alt_index: 'GroupID_others' } as const;
const UNUSED_CODE = { code: '', code_digest: '' };

/** Adds a person and a group. */
async function withBob(spec: EngineSpec): Promise<void> {
  await spec.run(contactCommands.CreateContact, {
    id: 'UserID_bob',
    name: 'Bob Secret',
    fresh: { subject_key_id: 's-bob', invite_id: 'GroupInviteID_bob', ...UNUSED_CODE },
  });
  await spec.group('Others', 'GroupID_others');
}

async function inviteBob(spec: EngineSpec): Promise<void> {
  await spec.run(inviteCommands.CreateInvite, {
    group_id: 'GroupID_others',
    role: 'MEMBER',
    invitee_id: 'UserID_bob',
    fresh: { invite_id: 'GroupInviteID_others', placeholder_id: 'unused', ...UNUSED_CODE },
  });
}

const eraseBob = (spec: EngineSpec) => spec.run(contactCommands.EraseContact, { id: 'UserID_bob' });

/** Names of invitees in the deliveries. */
const namesIn = ({ got }: Receivers): string[] =>
  got.map(({ body }) => JSON.parse(body).payload.after.group_invite.invitee_name as string);

/** Does something just before the reactor of a process reads its next page. */
function beforeFirstPage({ events }: EngineSpec, task: () => Promise<void>): void {
  const { store } = events;
  const readStream = store.readStream.bind(store);
  let is_first = true;
  events.readStream = async (...asked) => {
    if (is_first && asked[3] === 250) {
      is_first = false;
      await task();
    }
    return readStream(...asked);
  };
}

/** Does something just before a check of a replay that nobody was erased. @returns whether it was done */
function duringReplay({ drives }: EngineSpec, task: () => Promise<void>, nth = 1): () => boolean {
  const readOn = drives.readOn.bind(drives);
  let checks = 0;
  drives.readOn = async (...asked) => {
    checks += 1;
    if (checks === nth) await task();
    return readOn(...asked);
  };
  return () => checks >= nth;
}

describe('deliveries by a process whose drive has not read the newest events', () => {
  let one: EngineSpec;
  let peer: EngineSpec;
  let receivers: Receivers;
  let webhooks: Webhooks;
  /** Lets the drive read on. */
  let release: () => void;

  beforeEach(async () => {
    one = new EngineSpec({ role: PEER });
    await one.drives.start();
    peer = await one.beside();
    receivers = new Receivers();
    webhooks = webhooksOf(peer, receivers);
    await webhooks.start();
    await one.spawn();
    await peer.drives.open(DRIVE_A);
    await hooked(peer, HOOK, EVENT);
    await webhooks.idle();
  });
  afterEach(async () => {
    release();
    await webhooks.close();
    await one.drives.close();
    await peer.drives.close();
  });

  /** The other process does something, which only the reactor's page shows. */
  async function onlyInPage(task: () => Promise<void>): Promise<void> {
    const drive = await peer.drives.open(DRIVE_A);
    const follow = drive.follow.bind(drive);
    const released = Promise.withResolvers<void>();
    release = released.resolve;
    beforeFirstPage(peer, async () => {
      drive.follow = (events) => released.promise.then(() => follow(events));
      await task();
    });
    await peer.note();
  }

  it('show the name of a person who was just added', async () => {
    await onlyInPage(async () => {
      await withBob(one);
      await inviteBob(one);
    });
    await eventually(() => receivers.got.length > 0);
    expect(namesIn(receivers)).toEqual(['Bob Secret']);
  });

  it('go to a webhook that was just made', async () => {
    await withBob(one);
    const made = 'https://hooks.example/made';
    const readOn = peer.drives.readOn.bind(peer.drives);
    peer.drives.readOn = (...asked) => {
      release();
      return readOn(...asked);
    };
    await onlyInPage(async () => {
      await hooked(one, made, EVENT);
      await inviteBob(one);
    });
    await eventually(() => receivers.got.length > 1);
    expect(receivers.at(made)).toHaveLength(1);
  });
});

describe('deliveries about a person who is erased', () => {
  it('show no name if one page has the occurrence and the erasure by another process', async () => {
    const one = new EngineSpec({ role: PEER });
    await one.drives.start();
    const peer = await one.beside();
    const receivers = new Receivers();
    const webhooks = webhooksOf(peer, receivers);
    await webhooks.start();
    await one.spawn();
    await withBob(one);
    await peer.drives.open(DRIVE_A);
    await hooked(peer, HOOK, EVENT);
    await webhooks.idle();
    beforeFirstPage(peer, async () => {
      await inviteBob(one);
      await eraseBob(one);
    });
    await peer.note();
    await webhooks.idle();
    await eventually(() => receivers.got.length > 0);
    expect(namesIn(receivers)).toEqual(['[erased]']);
    await webhooks.close();
    await one.drives.close();
    await peer.drives.close();
  });

  it('are not sent after a crash before they are cancelled', async () => {
    const live = await WebhooksSpec.begin();
    const { spec, receivers } = live;
    await withBob(spec);
    await hooked(spec, HOOK, EVENT);
    receivers.fails(HOOK);
    await inviteBob(spec);
    await live.webhooks.idle();
    await live.webhooks.close();
    await eraseBob(spec);
    receivers.answers.delete(HOOK);
    receivers.got.length = 0;
    const later = spec.restarted();
    later.now += 3_600_000;
    const { jobs } = later.side;
    const due = jobs.due.bind(jobs);
    const looked = Promise.withResolvers<void>();
    jobs.due = async (...asked) => {
      looked.resolve();
      return due(...asked);
    };
    beforeFirstPage(later, async () => {
      await looked.promise;
      // Time to send what was found.
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    });
    const webhooks = webhooksOf(later, receivers);
    await webhooks.start();
    await webhooks.idle();
    expect(receivers.got).toEqual([]);
    expect(await jobs.waitingIn(DRIVE_A, 0, 9)).toEqual([]);
    expect(later.reports).toEqual([]);
    // Others are sent again.
    await later.run(contactCommands.CreateContact, {
      id: 'UserID_ben',
      name: 'Ben',
      fresh: { subject_key_id: 's-ben', invite_id: 'GroupInviteID_ben', ...UNUSED_CODE },
    });
    await later.run(inviteCommands.CreateInvite, {
      group_id: 'GroupID_others',
      role: 'MEMBER',
      invitee_id: 'UserID_ben',
      fresh: { invite_id: 'GroupInviteID_of_ben', placeholder_id: 'unused', ...UNUSED_CODE },
    });
    await eventually(() => receivers.got.length > 0);
    expect(namesIn(receivers)).toEqual(['Ben']);
    jobs.due = due;
    await webhooks.close();
    await later.drives.close();
  });

  it('show no name if it happens between the page of a replay and its queue', async () => {
    const live = await WebhooksSpec.begin();
    const { spec, webhooks, receivers } = live;
    await withBob(spec);
    await inviteBob(spec);
    const webhook_id = await hooked(spec, HOOK, EVENT);
    await webhooks.idle();
    const drive = await spec.drives.open(DRIVE_A);
    const { jobs } = spec.side;
    const is_done = duringReplay(spec, async () => {
      await eraseBob(spec);
      await webhooks.idle();
    });
    const range = { from_revision: 0, to_revision: drive.state.revision };
    const queued = await webhooks.replay(drive, drive.state.webhooks.get(webhook_id)!, range);
    await webhooks.idle();
    expect(is_done()).toBe(true);
    expect([queued, namesIn(receivers)]).toEqual([1, ['[erased]']]);
    expect(await jobs.waitingIn(DRIVE_A, 0, 9)).toEqual([]);
    await live.close();
  });

  it.each([1, 2])(
    'show no name in a replay by a process that hears of it later (check %d of its queue)',
    async (nth) => {
      const one = new EngineSpec({ role: PEER });
      await one.drives.start();
      const receivers = new Receivers();
      const webhooks = webhooksOf(one, receivers);
      await webhooks.start();
      await one.spawn();
      await withBob(one);
      await inviteBob(one);
      const webhook_id = await hooked(one, HOOK, EVENT);
      await webhooks.idle();
      const peer = await one.beside({ role: ROLES.indexing_replica });
      const replaying = webhooksOf(peer, new Receivers());
      const drive = await peer.drives.open(DRIVE_A);
      peer.drives.catch_up.note = () => {};
      const is_done = duringReplay(
        peer,
        async () => {
          await eraseBob(one);
          // What was queued by now is withheld, unless it is being sent already.
          receivers.fails(HOOK);
          await webhooks.idle();
          receivers.answers.delete(HOOK);
        },
        nth,
      );
      const range = { from_revision: 0, to_revision: drive.state.revision };
      await replaying.replay(drive, drive.state.webhooks.get(webhook_id)!, range);
      expect(is_done()).toBe(true);
      one.now += 3_600_000;
      webhooks.wake();
      await webhooks.idle();
      expect(namesIn(receivers)).toEqual(['[erased]']);
      await webhooks.close();
      await replaying.close();
      await one.drives.close();
      await peer.drives.close();
    },
  );

  it('do not include those about a person whose id is longer', async () => {
    const live = await WebhooksSpec.begin();
    const { spec, webhooks, receivers } = live;
    await withBob(spec);
    await spec.run(contactCommands.CreateContact, {
      id: 'UserID_bobby',
      name: 'Bobby',
      fresh: { subject_key_id: 's-bobby', invite_id: 'GroupInviteID_bobby', ...UNUSED_CODE },
    });
    const webhook_id = await hooked(spec, HOOK, EVENT);
    receivers.fails(HOOK);
    await spec.run(inviteCommands.CreateInvite, {
      group_id: 'GroupID_others',
      role: 'MEMBER',
      invitee_id: 'UserID_bobby',
      fresh: { invite_id: 'GroupInviteID_others', placeholder_id: 'unused', ...UNUSED_CODE },
    });
    await webhooks.idle();
    await eraseBob(spec);
    await webhooks.idle();
    receivers.answers.delete(HOOK);
    await live.later(3_600_000);
    expect(namesIn(receivers)).toEqual(['Bobby', 'Bobby']);
    const attempts = await live.attempts(webhook_id);
    expect(attempts.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, 'failed'],
      [2, 'delivered'],
    ]);
    await live.close();
  });
});

describe('deliveries after a restore', () => {
  it('of another event with the same revision have another id', async () => {
    const ids: string[] = [];
    for (const name of ['Lost', 'Anew']) {
      const live = await WebhooksSpec.begin();
      await live.spec.run(webhookCommands.CreateWebhook, {
        url: HOOK,
        event: 'drive.state_diffs',
        alt_index: 'STATE_DIFFS',
        fresh: { webhook_id: 'WebhookID_1', secret: 'whsec_1' },
      });
      await live.spec.group(name);
      await live.webhooks.idle();
      expect(live.revisionsAt(HOOK)).toEqual([2]);
      ids.push(live.receivers.got[0]!.delivery_id);
      await live.close();
    }
    expect(ids[0]).not.toBe(ids[1]);
  });
});
