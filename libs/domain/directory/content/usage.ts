import { refuseWithout } from '../../access/denial.js';
import type { Context } from '../../foundation/decision.js';
import type { Refusal } from '../../kernel/refusal.js';
import { integer, nullable, type Shown, view } from '../../kernel/view.js';

export const usageView = view('ContentUsage', {
  contents: integer('Stored contents; versions and copies share them'),
  used_bytes: integer('Their bytes'),
  unused_contents: integer(
    'Those that no file version has any more, kept for CONTENT_RETENTION_DAYS',
  ),
  unused_bytes: integer('Their bytes, included in used_bytes'),
  quota_bytes: nullable(integer('Maximum of used_bytes; null = unlimited')),
});
export type ContentUsage = Shown<typeof usageView>;

/** The stored content of an organization, for callers with VIEW on DISKS. */
export function contentUsage(context: Context): ContentUsage | Refusal {
  const denied = refuseWithout(context, 'VIEW', 'TABLE_DISKS');
  if (denied) return denied;
  const { state, settings } = context;
  const { contents } = state;
  return {
    contents: contents.size,
    used_bytes: contents.sum('of_drive', ''),
    unused_contents: contents.count('unused', 'unused'),
    unused_bytes: contents.sum('unused', ''),
    quota_bytes: settings.content_quota_bytes || null,
  };
}
