const UNKNOWN = 'application/octet-stream';

/** Types that browsers display without executing any content. */
const SHOWN: Readonly<Record<string, string>> = {
  aac: 'audio/aac',
  avif: 'image/avif',
  bmp: 'image/bmp',
  flac: 'audio/flac',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  m4a: 'audio/mp4',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  pdf: 'application/pdf',
  png: 'image/png',
  txt: 'text/plain; charset=utf-8',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
};

/** Types that are downloaded: other programs open them, or browsers would execute them. */
const SAVED: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gz: 'application/gzip',
  htm: 'text/html; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odt: 'application/vnd.oasis.opendocument.text',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  rtf: 'application/rtf',
  svg: 'image/svg+xml',
  tar: 'application/x-tar',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  zip: 'application/zip',
};

const TYPES = new Map(Object.entries({ ...SHOWN, ...SAVED }));

function endingOf(file_name: string): string {
  return file_name.slice(file_name.lastIndexOf('.') + 1).toLowerCase();
}

/** The media type for a file name; `application/octet-stream` if the extension is unknown. */
export function mediaTypeOf(file_name: string): string {
  return TYPES.get(endingOf(file_name)) ?? UNKNOWN;
}

/**
 * `Content-Disposition` with a file's name (RFC 6266): in ASCII for old clients, and unchanged in `filename*`
 * (RFC 8187). Content that a browser could execute is downloaded instead of displayed.
 */
export function dispositionOf(
  file_name: string,
  kind = Object.hasOwn(SHOWN, endingOf(file_name)) ? 'inline' : 'attachment',
): string {
  const well_formed = file_name.toWellFormed();
  // Excludes quotes, escapes, and `${`, which S3 upload forms expand as a variable.
  const plain = well_formed.replaceAll(/[^ -~]|["%\\${}]/g, '_');
  const whole = encodeURIComponent(well_formed).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${whole}`;
}
