import { api_keys } from '../api-keys/family.js';
import { bookmarks } from '../bookmarks/family.js';
import { contacts } from '../contacts/family.js';
import { directory } from '../directory/family.js';
import { disks } from '../disks/family.js';
import { factory } from '../factory/family.js';
import type { DriveEvents } from '../foundation/events.js';
import type { Family, Refusing } from '../foundation/family.js';
import type { Records } from '../foundation/state.js';
import type { FamilyRefusals, RefusalTexts } from '../kernel/refusal.js';
import { giftcards } from '../giftcards/family.js';
import { groups } from '../groups/family.js';
import { known_drives } from '../known-drives/family.js';
import { labels } from '../labels/family.js';
import { organization, shortlinks, superswaps } from '../organization/family.js';
import { permissions } from '../permissions/family.js';
import { purchases } from '../purchases/family.js';
import { webhooks } from '../webhooks/family.js';

/** All families, in the order of replays, snapshots and counts. */
const LISTED = [
  organization,
  contacts,
  groups,
  disks,
  directory,
  permissions,
  labels,
  api_keys,
  webhooks,
  known_drives,
  shortlinks,
  superswaps,
  purchases,
  bookmarks,
  factory,
  giftcards,
] as const;

type Listed = (typeof LISTED)[number];
type RecordsOf<F> = F extends { readonly records: infer R } ? keyof R : never;
type EventsOf<F> = F extends { readonly events: infer E } ? keyof E : never;
type CommandsOf<F> = F extends { readonly commands: infer C } ? C : never;
type RefusalsOf<F> = F extends Partial<Refusing<infer Texts>> ? keyof Texts : never;

/** What the list misses of a family that adds records, events or refusals. */
type Missing = Exclude<
  keyof Records | keyof DriveEvents | keyof FamilyRefusals,
  RecordsOf<Listed> | EventsOf<Listed> | RefusalsOf<Listed>
>;

/** Does not compile while anything is missing. */
const is_complete: [Missing] extends [never] ? true : Missing = true;

type AnyFamily = Family<Record<string, unknown>, never> & Partial<Refusing<RefusalTexts>>;

export const FAMILIES: readonly AnyFamily[] = is_complete
  ? (LISTED as unknown as readonly AnyFamily[])
  : [];

type Intersection<U> = (U extends unknown ? (member: U) => void : never) extends (
  member: infer I,
) => void
  ? I
  : never;

/** Definitions of the commands of all families, by name. */
export type Commands = Intersection<CommandsOf<Listed>>;

export const COMMANDS = Object.assign({}, ...FAMILIES.map(({ commands }) => commands)) as Commands;

/** Names of all commands of this release, as events are stored with them. */
export const COMMAND_NAMES: ReadonlySet<string> = new Set(
  FAMILIES.flatMap(({ commands }) => Object.values(commands).map(({ name }) => name)),
);
