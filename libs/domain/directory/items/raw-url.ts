import type { Context } from '../../foundation/decision.js';
import { assetUrl } from './object.js';

/**
 * The client's URL of the content; `''` for the file's own URL at the service. Clients return that one as they received
 * it, and storing it would create a redirect loop.
 */
export function ownRawUrl({ settings, state }: Context, raw_url: string, file_id: string): string {
  const own = assetUrl(settings.host_url, state.drive_id, file_id);
  return raw_url === own || raw_url.startsWith(`${own}.`) ? '' : raw_url;
}
