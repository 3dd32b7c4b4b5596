import { randomUUID } from 'node:crypto';
import { emptyState, foldOnto } from '../../libs/engine/fold/fold.js';
import type { Answer, Client, Organization } from '../support/client.js';
import { TestService } from '../support/service.js';
import { Signer } from '../support/signer.js';

const CLAIMANTS = 64;

describe('requests at one time', () => {
  let service: TestService;
  let org: Organization;

  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    org = await service.organization('Bob', 'Carol');
  });
  afterAll(() => service.stop());

  const ofStatus = (answers: readonly Answer[], status: number): readonly Answer[] =>
    answers.filter((answer) => answer.status === status);
  const signers = (): { id: string; client: Client }[] =>
    Array.from({ length: CLAIMANTS }, () => new Signer()).map((signer) => ({
      id: signer.user_id,
      client: signer.in(org),
    }));

  it('one of 64 identities gets an invite that all redeem with its code', async () => {
    const { data: group } = await org.admin.post('/groups/create', { name: 'Prize' });
    const body = { group_id: group.id, role: 'MEMBER' };
    const { data: invite } = await org.admin.post('/groups/invites/create', body);
    const claims = signers();
    const answers = await Promise.all(
      claims.map(({ client }) =>
        client.post('/groups/invites/redeem', {
          invite_id: invite.id,
          redeem_code: invite.redeem_code,
        }),
      ),
    );
    const [winner, ...others] = ofStatus(answers, 200);
    expect(others).toEqual([]);
    const losers = ofStatus(answers, 400);
    expect(losers).toHaveLength(CLAIMANTS - 1);
    for (const { err } of losers) expect(err.type).toBe('redeem.code-invalid');
    const { data: stored } = await org.admin.get(`/groups/invites/get/${invite.id}`);
    expect(stored.invitee_id).toBe(winner!.data.invite.invitee_id);
    expect(stored.invitee_id).toBe(claims[answers.indexOf(winner!)]!.id);
    const { data: prize } = await org.admin.get(`/groups/get/${group.id}`);
    expect(prize.member_count).toBe(2);
  });

  it('one of 64 creates gets the id that all have chosen', async () => {
    const id = `GroupID_${randomUUID()}`;
    const answers = await Promise.all(
      Array.from({ length: CLAIMANTS }, (_, nth) =>
        org.admin.post('/groups/create', { id, name: `Claim ${nth}` }),
      ),
    );
    const [winner, ...others] = ofStatus(answers, 200);
    expect(others).toEqual([]);
    expect(ofStatus(answers, 400)).toHaveLength(CLAIMANTS - 1);
    for (const { err } of ofStatus(answers, 400)) expect(err.type).toBe('request.id-in-use');
    expect((await org.admin.get(`/groups/get/${id}`)).data.name).toBe(winner!.data.name);
  });

  it('one of many claims of a placeholder contact succeeds', async () => {
    const body = { name: 'Placeholder', is_placeholder: true };
    const { data: contact } = await org.admin.post('/contacts/create', body);
    const claims = signers();
    const answers = await Promise.all(
      claims.map(({ id, client }) =>
        client.post('/contacts/redeem', {
          current_user_id: contact.id,
          new_user_id: id,
          redeem_code: contact.redeem_code,
        }),
      ),
    );
    expect(ofStatus(answers, 200)).toHaveLength(1);
    const winner = ofStatus(answers, 200)[0]!.data.contact.id;
    expect((await org.admin.get(`/contacts/get/${winner}`)).data.name).toBe('Placeholder');
    expect((await org.admin.get(`/contacts/get/${contact.id}`)).status).toBe(404);
  });

  it('all concurrent writes of a swapped user belong to the new id, and none to the old', async () => {
    const [bob] = org.members as [Client];
    const { data: grant } = await org.admin.post('/permissions/system/create', {
      resource_id: 'TABLE_GROUPS',
      granted_to: bob.user_id,
      permission_types: ['CREATE', 'VIEW', 'EDIT'],
    });
    expect(grant.granted_to).toBe(bob.user_id);
    const new_user_id = new Signer().user_id;
    const writes = () =>
      Array.from({ length: 40 }, (_, nth) => bob.post('/groups/create', { name: `By Bob ${nth}` }));
    const before = writes();
    const swap = org.admin.post('/organization/superswap_user', {
      current_user_id: bob.user_id,
      new_user_id,
    });
    const after = writes();
    const answers = await Promise.all([...before, ...after]);
    expect((await swap).status).toBe(200);
    // His key acts as the new id from the swap on, so every write succeeds under one of the two.
    expect(ofStatus(answers, 200)).toHaveLength(80);
    const owners = await Promise.all(
      answers.map(async ({ data }) => (await org.admin.get(`/groups/get/${data.id}`)).data.owner),
    );
    expect(new Set(owners)).toEqual(new Set([new_user_id]));
    const { data: replayed } = await org.admin.post('/organization/replay', { include: ['ALL'] });
    const { superswaps, ...state } = replayed.state;
    expect(superswaps.items).toHaveLength(1);
    const without_history = JSON.stringify(state, (key, value) =>
      key === 'past_user_ids' || key === 'former_ids' ? undefined : value,
    );
    expect(without_history).not.toContain(bob.user_id);
  });

  it('200 mixed commands leave revisions without gaps, and a stream that folds to what is served', async () => {
    const people = [org.admin, ...org.members];
    const ids = Array.from({ length: 20 }, () => `GroupID_${randomUUID()}`);
    const first = Number(
      (await org.admin.get('/organization/about')).headers.get('drive-revision'),
    );
    const requests = Array.from({ length: 200 }, (_, nth) => {
      const who = people[nth % 7 === 0 ? nth % 3 : 0]!;
      const id = ids[(nth * 7) % ids.length]!;
      switch (nth % 5) {
        case 0:
        case 1:
          return who.post('/groups/create', { id, name: `Group ${nth}` });
        case 2:
          return who.post('/groups/update', { id, name: `Renamed ${nth}` });
        case 3:
          return who.post('/groups/invites/create', {
            group_id: id,
            invitee_id: people[nth % 3]!.user_id,
            role: 'MEMBER',
          });
        default:
          return who.post('/groups/delete', { id });
      }
    });
    const answers = await Promise.all(requests);
    const revisions = ofStatus(answers, 200)
      .map(({ headers }) => Number(headers.get('drive-revision')))
      .filter((revision) => revision > first);
    const { drives } = service.server;
    const drive = await drives.open(org.drive_id);
    const folded = emptyState(org.drive_id);
    await foldOnto(folded, drives.events, { to: Infinity, verify: true });
    expect(folded.hash.root()).toBe(drive.folded.hash.root());
    const { data } = await org.admin.post('/organization/replay', { verify: true });
    expect(data).toMatchObject({ verified: true, state_hash: folded.hash.root() });
    // Each command here makes one event, so the revisions answered are exactly those of the stream.
    const stored = Array.from({ length: data.revision - first }, (_, at) => first + 1 + at);
    expect([...new Set(revisions)].sort((a, b) => a - b)).toEqual(stored);
    expect(revisions).toHaveLength(stored.length);
    const { data: listed } = await org.admin.post('/groups/list', { page_size: 1000 });
    const served = listed.items.map(({ id, name }: { id: string; name: string }) => [id, name]);
    const expected = [...folded.state.groups.values()].map(({ id, name }) => [id, name]);
    expect(served.sort()).toEqual(expected.sort());
  });
});
