import type { Changes } from '../../kernel/fields.js';
import { type Refusal, refuseField } from '../../kernel/refusal.js';

/**
 * Period in which a grant is active, ms: from `begin_date_ms` (0 = always) until `expiry_date_ms` (-1 = never ends).
 */
export interface Window {
  readonly begin_date_ms: number;
  readonly expiry_date_ms: number;
}

/** Refuses a window that ends before it begins, at a field that the command gives. */
export function refuseWindow(
  { begin_date_ms, expiry_date_ms }: Window,
  command: Changes<Window>,
): Refusal | null {
  if (expiry_date_ms <= 0 || expiry_date_ms > begin_date_ms) return null;
  return command.expiry_date_ms === undefined
    ? refuseField('/begin_date_ms', 'must be earlier than expiry_date_ms')
    : refuseField('/expiry_date_ms', 'must be later than begin_date_ms');
}

/** True if the window is extended at either end. */
export function grows(before: Window, after: Window): boolean {
  return begin(after) < begin(before) || end(after) > end(before);
}

function begin({ begin_date_ms }: Window): number {
  return begin_date_ms <= 0 ? -Infinity : begin_date_ms;
}

function end({ expiry_date_ms }: Window): number {
  return expiry_date_ms <= 0 ? Infinity : expiry_date_ms;
}
