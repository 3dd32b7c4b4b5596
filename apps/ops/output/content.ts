import type { OmittedContent } from '../../../libs/engine/transfer/contents.js';

/** A content that was not copied, as a line. */
export function omissionText({ drive_id, content_id, problem }: OmittedContent): string {
  return `OMITTED  ${content_id} of ${drive_id} ${problem}.`;
}
