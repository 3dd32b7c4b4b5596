import { get, LoadClient, post, type Request } from '../harness/load.js';
import { Random } from '../harness/random.js';
import type { Bench } from '../harness/row.js';
import { startService } from '../harness/servers.js';
import { copyOf, dataset } from '../seed/datasets.js';
import { crowdOrder } from '../seed/orders.js';
import { groupId, type SeededDrive } from '../seed/plans.js';
import type { GrowingOrganization, GrowthRead } from './reads.js';

/** Rows of a page. */
const page_size = 20;

/**
 * An organization whose member is in all groups, so that every answer about the member or about memberships has as
 * much to find as there is.
 */
export async function crowd(bench: Bench, groups: number): Promise<GrowingOrganization> {
  const seeded = await dataset(crowdOrder(groups), bench);
  const service = await startService(bench, await copyOf(seeded, bench));
  const client = await LoadClient.connect(service.port, 1);
  const random = new Random(3);
  const { drive_id, owner } = seeded;
  let writes = 0;
  return {
    ...{ service, client, reads: crowdReads(seeded, groups) },
    ...{ records: 3 * groups, head: seeded.events - 1 },
    write() {
      const body = { id: groupId(random.below(groups)), private_note: `note ${writes++}` };
      return post(`/v1/drive/${drive_id}/groups/update`, JSON.stringify(body), owner.token);
    },
  };
}

export function crowdReads(
  { drive_id, owner, member }: SeededDrive,
  groups: number,
): Record<string, GrowthRead> {
  const random = new Random(5);
  const below = `/v1/drive/${drive_id}`;
  const ask = (path: string, body: object, who = owner): Request =>
    post(`${below}${path}`, JSON.stringify(body), who.token);
  const asked = (path: string, who = owner): Request => get(`${below}${path}`, who.token);
  const nth = (): number => random.below(groups);
  const any = (): string => groupId(nth());
  // Three characters of a name, which a third of the groups contain.
  const word = (): string => random.text(4).slice(0, 3).trim();
  const of_member = { grantee_id: member.user_id };
  const read = (operation: string, next: GrowthRead['next']): GrowthRead => ({ operation, next });
  return {
    'get a group': read('groups.get', () => asked(`/groups/get/${any()}`)),
    'get a group, member': read('groups.get', () => asked(`/groups/get/${any()}`, member)),
    'list of groups': read('groups.list', () => ask('/groups/list', { page_size })),
    'list of groups, member': read('groups.list', () => ask('/groups/list', { page_size }, member)),
    'list of groups with a filter': read('groups.list', () =>
      ask('/groups/list', { filters: word(), page_size }),
    ),
    'list of groups with a filter, member': read('groups.list', () =>
      ask('/groups/list', { filters: word(), page_size }, member),
    ),
    'membership of a group': read('groups.validate', () =>
      ask('/groups/validate', { group_id: any(), user_id: member.user_id }),
    ),
    'list of invites of a group': read('groups.invites.list', () =>
      ask('/groups/invites/list', { group_id: any() }),
    ),
    'list of contacts': read('contacts.list', () => ask('/contacts/list', { page_size })),
    'list of contacts, member': read('contacts.list', () =>
      ask('/contacts/list', { page_size }, member),
    ),
    'get a contact in all groups': read('contacts.get', () =>
      asked(`/contacts/get/${member.user_id}`),
    ),
    whoami: read('organization.whoami', () => asked('/organization/whoami', member)),
    about: read('organization.about', () => asked('/organization/about')),
    search: read('organization.search', () =>
      ask('/organization/search', { query: 'note', page_size }),
    ),
    'search, a third of the groups found': read('organization.search', () =>
      ask('/organization/search', { query: word(), page_size }),
    ),
    'records of an external id': read('organization.external_id', () =>
      ask('/organization/external_id', { external_ids: [`crm-${nth()}`] }),
    ),
    'check of a permission': read('permissions.system.check', () =>
      ask('/permissions/system/check', { resource_id: any(), ...of_member }),
    ),
    history: read('organization.history', () => ask('/organization/history', { page_size })),
    'history of a group': read('organization.history', () =>
      ask('/organization/history', { page_size, resource_id: any() }),
    ),
    timeline: read('organization.timeline', () => ask('/organization/timeline', {})),
    'list of groups as of 10 events ago': read('groups.list', (head) =>
      ask(`/groups/list?as_of=r${head - 10}`, { page_size }),
    ),
    'replay to 10 events ago': read('organization.replay', (head) =>
      ask('/organization/replay', { revision: head - 10, include: ['groups'], page_size }),
    ),
    'compare with 10 events ago': read('organization.compare', (head) =>
      ask('/organization/compare', { from: { revision: head - 10 }, page_size }),
    ),
    'access compared with 10 events ago': read('organization.access_diff', (head) =>
      ask('/organization/access_diff', { from: { revision: head - 10 }, page_size }),
    ),
    'why a person may read a group': read('organization.explain', () =>
      ask('/organization/explain', { ...of_member, resource_id: any() }),
    ),
    'since when a person may read a group': read('organization.access_timeline', () =>
      ask('/organization/access_timeline', { ...of_member, resource_id: any() }),
    ),
    'who may read a group': read('organization.who', () =>
      ask('/organization/who', { resource_id: any(), page_size }),
    ),
    'what a person may read': read('organization.reach', () =>
      ask('/organization/reach', { ...of_member, page_size }),
    ),
    'each record that the owner may read': read('organization.reach', () =>
      ask('/organization/reach', { grantee_id: owner.user_id, collapse: false, page_size }),
    ),
    '20 checks at once': read('organization.check_many', () => {
      const checks = Array.from({ length: page_size }, () => ({
        ...{ ...of_member, resource_id: any(), permission_type: 'VIEW' },
      }));
      return ask('/organization/check_many', { checks });
    }),
    digest: read('organization.digest', () => asked('/organization/digest')),
    'proof of an event': read('organization.proof', (head) =>
      asked(`/organization/proof?revision=${random.below(head)}`),
    ),
    'proof that the log has only grown': read('organization.consistency', (head) =>
      asked(`/organization/consistency?from=${1 + random.below(head)}`),
    ),
    'proof of a record': read('organization.record_proof', () =>
      ask('/organization/record_proof', { record_id: any() }),
    ),
  };
}
