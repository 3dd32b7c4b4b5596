import type { Context } from '../../foundation/decision.js';
import { assetUrl } from './object.js';

/**
 * Where a client says the content lies; `''` for the file's own address at the service, which clients
 * send back as they got it and which would lead in a circle.
 */
export function ownRawUrl({ settings, state }: Context, raw_url: string, file_id: string): string {
  const own = assetUrl(settings.host_url, state.drive_id, file_id);
  return raw_url === own || raw_url.startsWith(`${own}.`) ? '' : raw_url;
}
