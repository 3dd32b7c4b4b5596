import { API_KEYS_TEXTS } from './operations/api-keys.js';
import { CONTACTS_TEXTS } from './operations/contacts.js';
import { DIRECTORY_TEXTS } from './operations/directory.js';
import { DISKS_TEXTS } from './operations/disks.js';
import { DRIVES_TEXTS } from './operations/drives.js';
import { FACTORY_TEXTS } from './operations/factory.js';
import { GROUPS_TEXTS } from './operations/groups.js';
import { LABELS_TEXTS } from './operations/labels.js';
import { ORGANIZATION_TEXTS } from './operations/organization.js';
import { PERMISSIONS_TEXTS } from './operations/permissions.js';
import { PURCHASES_TEXTS } from './operations/purchases.js';
import { SYSTEM_TEXTS } from './operations/system.js';
import { TIME_TRAVEL_TEXTS } from './operations/time-travel.js';
import { WEBHOOKS_TEXTS } from './operations/webhooks.js';
import type { OperationText, OperationTexts } from './operations/operation-text.js';

export { INTRODUCTION } from './operations/introduction.js';

const TEXTS: OperationTexts = {
  ...API_KEYS_TEXTS,
  ...CONTACTS_TEXTS,
  ...DIRECTORY_TEXTS,
  ...DISKS_TEXTS,
  ...DRIVES_TEXTS,
  ...FACTORY_TEXTS,
  ...GROUPS_TEXTS,
  ...LABELS_TEXTS,
  ...ORGANIZATION_TEXTS,
  ...PERMISSIONS_TEXTS,
  ...PURCHASES_TEXTS,
  ...SYSTEM_TEXTS,
  ...TIME_TRAVEL_TEXTS,
  ...WEBHOOKS_TEXTS,
};

/**
 * The text of an operation.
 * @throws Error if there is none: an operation without a text is not finished
 */
export function operationText(path: string, method: string): OperationText {
  const key = `${method} ${path.replace('/v1/drive/{organization_id}/', '')}`;
  const text = TEXTS[key];
  if (!text) throw new Error(`OpenAPI: no text for ${key}`);
  return text;
}
