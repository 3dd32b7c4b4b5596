import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Credential } from '../../domain/access/caller.js';
import type { DownloadOrder, OwnOrder } from '../../domain/directory/items/upload.js';
import { type Refusal, refuse } from '../../domain/kernel/refusal.js';

/** What a link holds. Its holder acts with the current rights of the caller to whom it was given. */
type Given = Omit<DownloadOrder, 'url'>;

/** What the policy of an upload form holds. */
type UploadPolicy = Omit<OwnOrder, 'url' | 'file_name'>;

/** A form with which a client uploads a file's content. */
export interface SignedUpload {
  url: string;
  fields: Record<string, string>;
  method?: 'POST';
  /** ms */
  expires_at?: number;
}

/** A link that downloads one version without a token. */
interface SignedDownload {
  url: string;
  /** ms */
  expires_at: number;
}

export const LINK_PARAMETER = 'link';

/** Signs upload forms and download links. They contain no secret and are valid on every process of the service. */
export class ContentLinks {
  /** Node checks a key given as bytes anew for each signature, which takes longer than signing. */
  private readonly key: KeyObject;

  /** @param secret of the installation, used for nothing else */
  constructor(secret: Uint8Array) {
    this.key = createSecretKey(secret);
  }

  form({ url, file_name: _, ...policy }: OwnOrder): SignedUpload {
    const { expires_at } = policy;
    const text = textOf(policy);
    const fields = { policy: text, signature: this.sign('upload', text) };
    return { url, fields, method: 'POST', expires_at };
  }

  policyOf(fields: Readonly<Record<string, string>>, drive_id: string, now: number) {
    const { policy = '', signature = '' } = fields;
    return this.read<UploadPolicy>('upload', policy, signature, drive_id, now);
  }

  link({ url, ...given }: DownloadOrder): SignedDownload {
    const text = textOf(given);
    const link = `${text}.${this.sign('download', text)}`;
    return { url: `${url}?${LINK_PARAMETER}=${link}`, expires_at: given.expires_at };
  }

  /** The caller and version of a link's parameter. */
  linked(link: string, drive_id: string, now: number): Given | Refusal {
    const [text = '', signature = ''] = link.split('.');
    return this.read<Given>('download', text, signature, drive_id, now);
  }

  private read<T extends Given>(
    purpose: 'upload' | 'download',
    text: string,
    signature: string,
    drive_id: string,
    now: number,
  ): T | Refusal {
    const expected = Buffer.from(this.sign(purpose, text));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      return refuse('upload-expired');
    const read = JSON.parse(Buffer.from(text, 'base64url').toString()) as T;
    return read.drive_id === drive_id && read.expires_at > now ? read : refuse('upload-expired');
  }

  private sign(purpose: string, text: string): string {
    return createHmac('sha256', this.key).update(`${purpose}\n${text}`).digest('hex');
  }
}

function textOf(given: object): string {
  return Buffer.from(JSON.stringify(given)).toString('base64url');
}

/** The credential of a form or link. */
export function delegated({ user_id, api_key_id }: Given): Credential {
  return { kind: 'delegated', user_id, api_key_id };
}
