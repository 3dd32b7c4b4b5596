import type { Retention } from '../port.js';

/** The retention in a stream's metadata; null for none, or if the metadata is not a JSON object. */
export function retentionIn(metadata: string): Retention | null {
  const set = settingsIn(metadata);
  const max_age_s = numberIn(set.$maxAge);
  const max_count = numberIn(set.$maxCount);
  const truncate_before = numberIn(set.$tb) || null;
  if (max_age_s === null && max_count === null && truncate_before === null) return null;
  return { max_age_s, max_count, truncate_before };
}

function settingsIn(metadata: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(metadata)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
