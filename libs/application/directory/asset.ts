import { findAsset, type OwnContent } from '../../domain/directory/items/asset.js';
import { isRefusal, refuse } from '../../domain/kernel/refusal.js';
import { stateQuery } from '../drive-query.js';
import { signDownload } from './signing.js';

/** The URL of a file's content, valid for an hour if it is in a bucket; or the content in the service's own store. */
export type Asset = { readonly url: string } | { readonly content: OwnContent };

interface GetAssetInput {
  readonly file_id: string;
  /** Default: the current version. */
  readonly version_id?: string | undefined;
}

export const GetAsset = stateQuery<GetAssetInput, Asset>(
  'GetAsset',
  async (context, { file_id, version_id }) => {
    const place = findAsset(context, file_id, version_id);
    if (isRefusal(place) || 'content' in place) return place;
    if ('url' in place) return { url: place.url };
    // Signing needs a secret, and past states mask secrets.
    if (context.masked) return refuse('content-not-served');
    const auth_json = context.open(place.auth_json, 'auth_json')!;
    try {
      return { url: await signDownload(auth_json, place.object_key) };
    } catch {
      // The disk's credentials are unusable.
      return refuse('content-not-served');
    }
  },
);
