import type { DomainSettings } from '../foundation/decision.js';
import type { Refusal } from '../kernel/refusal.js';
import { MASKED } from '../kernel/fields.js';
import { refuseAuthJson } from './auth-json.js';
import type { DiskSettings } from './commands.js';
import { DISK_TYPES, type DiskType } from './record.js';
import { integer, nullable, object, oneOf, type Shown, text, view } from '../kernel/view.js';

/** A disk to create together with an organization. It is always stored sealed as a whole. */
export interface BundledDisk {
  readonly name: string;
  readonly disk_type: DiskType;
  readonly public_note: string | null;
  /** ms; null = off. */
  readonly autoexpire_ms: number | null;
  readonly endpoint: string | null;
  readonly auth_json: string | null;
}

/** The stored form of a bundled disk; absent fields are empty. */
export function bundledDisk(disk: DiskSettings): BundledDisk {
  return {
    name: disk.name,
    disk_type: disk.disk_type,
    public_note: disk.public_note ?? null,
    autoexpire_ms: disk.autoexpire_ms || null,
    endpoint: disk.endpoint || null,
    auth_json: disk.auth_json || null,
  };
}

/** The disk of a new organization that brings none; null if the installation provides none. */
export function defaultDisk({ default_disk: name }: DomainSettings): DiskSettings | null {
  return name === '' ? null : { name, disk_type: 'LOCAL_SSD' };
}

/** Refuses invalid credentials of a bundled disk. */
export function refuseBundledDisk(disk: DiskSettings | null | undefined): Refusal | null {
  if (!disk) return null;
  return refuseAuthJson(disk.disk_type, disk.auth_json, '/bundled_default_disk/auth_json');
}

export const bundledDiskView = view('BundledDisk', {
  name: text(),
  disk_type: oneOf(DISK_TYPES),
  public_note: nullable(text()),
  autoexpire_ms: nullable(integer('Lifetime of new files, ms')),
  billing_url: nullable(text()),
  auth_json: nullable(object<object | string>('Null unless the caller is a factory admin')),
});
type BundledDiskView = Shown<typeof bundledDiskView>;

/** A bundled disk, with its credentials shown, masked or hidden. */
export function presentBundledDisk(
  disk: BundledDisk | null,
  credentials: 'shown' | 'masked' | 'hidden',
): BundledDiskView | null {
  if (!disk) return null;
  const { endpoint, auth_json, ...shown } = disk;
  const seen = credentials === 'hidden' ? null : auth_json;
  return {
    ...shown,
    billing_url: endpoint,
    auth_json: seen === null ? null : credentials === 'masked' ? MASKED : JSON.parse(seen),
  };
}
