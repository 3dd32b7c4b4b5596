import { deniedGrantView, explain } from '../../domain/access-questions/explain.js';
import {
  type PermissionType,
  permissionTypes,
  typesFor,
  typesHeld,
} from '../../domain/access-questions/held.js';
import { holder, type Holder, holderIds } from '../../domain/access-questions/who.js';
import {
  pathInTable,
  placesOf,
  placesReached,
  type Reached,
  type ReachedPlace,
  type ReachQuery,
  reachedAs,
} from '../../domain/access-questions/reach.js';
import { existedView, ifExisted } from '../../domain/access-questions/known.js';
import { deniedFor, manyPathsFor, pathsFor } from '../../domain/access-questions/rights.js';
import { isRefusal, type Refusal, refuseField } from '../../domain/kernel/refusal.js';
import type { PointRequest } from '../../engine/past/points.js';
import type { Position } from '../../read-model/port.js';
import { type PageInput, pageRequest } from '../pages/cursor.js';
import { nowQuery } from '../drive-query.js';
import type { ListPage } from '../list-records.js';
import { pageOf, shownPage } from '../pages/page-of.js';
import { shownPointView } from './queried-point.js';
import { positionOf } from './in-order.js';
import { pageInOrder } from './page-in-order.js';
import { existedOf } from './known-ids.js';
import { atMoment } from './moments.js';
import {
  described,
  flag,
  integer,
  listOf,
  optional,
  type Shown,
  text,
  view,
} from '../../domain/kernel/view.js';
import { reasons } from '../../domain/access-questions/because.js';

/** The point of an answer; for auditors also the lifetimes of ids that did not exist at that point. */
export const accessPointView = view('AccessPoint', {
  ...shownPointView.members,
  existed: ifExisted,
});
export type AccessPointView = Shown<typeof accessPointView>;

interface ExplainInput extends PointRequest {
  readonly grantee_id: string;
  readonly resource_id: string;
}

export const explainView = view('Explanation', {
  ...accessPointView.members,
  grantee_id: text(),
  resource_id: text(),
  permissions: described(permissionTypes, 'Effective types, as check answers them'),
  because: reasons,
  denied: listOf(
    deniedGrantView,
    'Grants on the resource’s path that had no effect; at most 1,000',
  ),
});
type ExplainAnswer = Shown<typeof explainView>;

export interface WhoInput extends PointRequest, PageInput {
  readonly resource_id: string;
  readonly permission_type?: PermissionType | undefined;
}

export interface ReachInput extends PointRequest, PageInput, ReachQuery {
  readonly grantee_id: string;
}

interface AccessCheck {
  readonly grantee_id: string;
  readonly resource_id: string;
  readonly permission_type: PermissionType;
}

interface CheckManyInput extends PointRequest {
  readonly checks: readonly AccessCheck[];
}

const checkExistedView = view('CheckExisted', {
  ...existedView.members,
  check: integer('Index of the check, from 0'),
});
export type CheckExisted = Shown<typeof checkExistedView>;

export const checkManyView = view('CheckMany', {
  ...shownPointView.members,
  results: listOf(flag(), 'In the order of the checks'),
  existed: optional(
    listOf(checkExistedView),
    'Lifetimes of ids in checks that did not exist at the point; absent if all existed',
  ),
});
type CheckManyAnswer = Shown<typeof checkManyView>;

/** Refuses a permission type that does not apply to the kind of resource. */
function refuseOtherType(
  pointer: string,
  resource_id: string,
  type: PermissionType | undefined,
): Refusal | null {
  const types = typesFor(resource_id);
  if (type === undefined || types.includes(type)) return null;
  return refuseField(pointer, `must be one of ${types.join(', ')} for this resource`);
}

/** The permissions of a grantee on a resource, and their reasons. */
export const Explain = nowQuery<ExplainInput, ExplainAnswer>(
  'Explain',
  (drives, drive, context, input) =>
    atMoment(drives, drive, context, input, [input], (moment, caller) => {
      const { grantee_id, resource_id } = input;
      const options = { path: pathsFor(caller), denied: deniedFor(caller, resource_id) };
      const found = explain(moment.accessOf(grantee_id), moment.resourceOf(resource_id), options);
      const { point, existed } = moment;
      return { grantee_id, resource_id, ...point, ...found, ...existedOf(input, existed) };
    }),
);

/** All holders of permissions on a resource. */
export const Who = nowQuery<WhoInput, ListPage<Holder> & AccessPointView>(
  'Who',
  (drives, drive, context, input) => {
    const { resource_id, permission_type: type } = input;
    const refused = refuseOtherType('/permission_type', resource_id, type);
    if (refused) return refused;
    return atMoment(drives, drive, context, input, [{ resource_id }], (moment, caller) => {
      const { state, now, point, existed } = moment;
      const resource = moment.resourceOf(resource_id);
      const list = `${drive.drive_id}\nwho ${resource_id}\n${type ?? ''}`;
      const ids = holderIds(state, resource, now, type);
      const show = pathsFor(caller);
      const present = (id: string): Holder => holder(state, resource, id, now, show);
      const page = pageOf(list, input, ids, (id) => ({ key: id, id: '' }), present);
      if (isRefusal(page)) return page;
      return { ...page, ...point, ...existedOf({ resource_id }, existed) };
    });
  },
);

/** All resources on which a grantee holds permissions. */
export const Reach = nowQuery<ReachInput, ListPage<Reached> & AccessPointView>(
  'Reach',
  (drives, drive, context, input) => {
    const { grantee_id, permission_type, collapse } = input;
    const families_named = input.families.toSorted();
    return atMoment(drives, drive, context, input, [{ grantee_id }], (moment, caller) => {
      const access = moment.accessOf(grantee_id);
      const show = manyPathsFor(caller);
      const reached = placesReached(access, input, show);
      const list_key = [grantee_id, permission_type ?? '', collapse, families_named].join('\n');
      const list = `${drive.drive_id}\nreach\n${list_key}`;
      const request = pageRequest(list, input, 'string');
      if (isRefusal(request)) return request;
      const { items: ids, ...found } = pageInOrder(
        request,
        reached.places.map((place) => ({ text: orderedPath(place), id: place.resource_id })),
        reached.families.map(({ table, ...family }) => ({
          prefix: pathInTable(table, ''),
          ...family,
        })),
      );
      const items = placesOf(reached, ids, moment.state.kinds);
      const present = reachedAs(access, input, show);
      const page = shownPage(list, request, { ...found, items }, placeInOrder, present);
      const { point, existed } = moment;
      return { ...page, ...point, ...existedOf({ grantee_id }, existed) };
    });
  },
);

/** Many permission checks at one revision. */
export const CheckMany = nowQuery<CheckManyInput, CheckManyAnswer>(
  'CheckMany',
  (drives, drive, context, input) => {
    for (const [at, { resource_id, permission_type }] of input.checks.entries()) {
      const pointer = `/checks/${at}/permission_type`;
      const refused = refuseOtherType(pointer, resource_id, permission_type);
      if (refused) return refused;
    }
    const checks = input.checks.map((check, at) => ({ ...check, within: `/checks/${at}` }));
    return atMoment(drives, drive, context, input, checks, ({ point, existed, ...moment }) => {
      // Many checks may be of one grantee on one resource, with many grants.
      const held_by_pair = new Map<string, readonly PermissionType[]>();
      const results = input.checks.map(({ grantee_id, resource_id, permission_type }) => {
        const pair = `${grantee_id}\n${resource_id}`;
        let held = held_by_pair.get(pair);
        if (!held) {
          held = typesHeld(moment.accessOf(grantee_id), moment.resourceOf(resource_id));
          held_by_pair.set(pair, held);
        }
        return held.includes(permission_type);
      });
      const spans = input.checks.flatMap((about, check) => {
        const { existed: span } = existedOf(about, existed);
        return span ? [{ check, ...span }] : [];
      });
      return { results, ...point, ...(spans.length > 0 && { existed: spans }) };
    });
  },
);

function placeInOrder(place: ReachedPlace): Position {
  return positionOf(orderedPath(place), place.resource_id);
}

/** Shortens the prefix of disk paths, since sort keys are limited and the prefix is the same for all disks. */
function orderedPath({ path }: ReachedPlace): string {
  return path.replace(/^DiskID_/, 'D');
}
