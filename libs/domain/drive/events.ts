import { type ApiKeyEvents, apiKeyMarks } from '../api-keys/events.js';
import { type BookmarkEvents, bookmarkMarks } from '../bookmarks/events.js';
import { type ContactEvents, contactMarks } from '../contacts/events.js';
import { type DirectoryEvents, directoryMarks } from '../directory/events.js';
import { type DiskEvents, diskMarks } from '../disks/events.js';
import { type FactoryEvents, factoryMarks } from '../factory/events.js';
import { type GiftcardEvents, giftcardMarks } from '../giftcards/events.js';
import { type GroupEvents, groupMarks } from '../groups/events.js';
import type { EventMarks, MarksOf } from '../kernel/event.js';
import { type KnownDriveEvents, knownDriveMarks } from '../known-drives/events.js';
import { type LabelEvents, labelMarks } from '../labels/events.js';
import { type OrganizationEvents, organizationMarks } from '../organization/events.js';
import { type PermissionEvents, permissionMarks } from '../permissions/events.js';
import { type PurchaseEvents, purchaseMarks } from '../purchases/events.js';
import { type WebhookEvents, webhookMarks } from '../webhooks/events.js';

/** Bodies of all events by stored name. */
export type DriveEvents = OrganizationEvents &
  ContactEvents &
  GroupEvents &
  DiskEvents &
  DirectoryEvents &
  PermissionEvents &
  ApiKeyEvents &
  LabelEvents &
  KnownDriveEvents &
  PurchaseEvents &
  BookmarkEvents &
  WebhookEvents &
  FactoryEvents &
  GiftcardEvents;

export type EventType = keyof DriveEvents;

/** An event as decided: its stored name and its body in clear. */
export type DomainEvent = {
  [Type in EventType]: { readonly type: Type; readonly data: DriveEvents[Type] };
}[EventType];

const marks: MarksOf<DriveEvents> = {
  ...organizationMarks,
  ...contactMarks,
  ...groupMarks,
  ...diskMarks,
  ...directoryMarks,
  ...permissionMarks,
  ...apiKeyMarks,
  ...labelMarks,
  ...knownDriveMarks,
  ...purchaseMarks,
  ...bookmarkMarks,
  ...webhookMarks,
  ...factoryMarks,
  ...giftcardMarks,
};

const by_type = new Map<string, EventMarks>(Object.entries(marks));

/** Marks of a stored type, undefined for one that this release does not know. */
export function eventMarks(type: string): EventMarks | undefined {
  return by_type.get(type);
}

/** All stored names this release knows. */
export function eventTypes(): readonly string[] {
  return [...by_type.keys()];
}

/** Makes an event with its body checked against its name. */
export function event<Type extends EventType>(type: Type, data: DriveEvents[Type]): DomainEvent {
  return { type, data } as DomainEvent;
}
