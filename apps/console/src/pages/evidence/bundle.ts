import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { texts } from '../../texts.js';
import { visibleText } from '../../visible-text.js';

/** What a bundle of evidence holds. */
export interface Evidence {
  readonly organization: string;
  /** The signed digest of now, which commits to the whole past. */
  readonly digest: object & { readonly public_key: string };
  /** The signed digest of the point, which the proof of the record leads to. */
  readonly point_digest: object;
  /** The event at the point, and the proof that the digest covers it. */
  readonly event: object;
  readonly event_proof: object;
  /** The record as stored at the point, with its proof. */
  readonly record_proof: object | null;
  /** The last verification of the whole history; null without one. */
  readonly verification: object | null;
}

/** Rows of the report: a title and a value. */
export type ReportRow = readonly [title: string, value: string];

/** Files of a bundle, which `drive-workspace ops verify` reads. */
const DIGEST = 'digest.json';
const POINT_DIGEST = 'point-digest.json';
const EVENT_PROOF = 'event-proof.json';
const RECORD_PROOF = 'record-proof.json';

/** A zip archive: a report to read, the same as JSON, what proves it, and how to check that offline. */
export function bundleOf(evidence: Evidence, rows: readonly ReportRow[]): Uint8Array<ArrayBuffer> {
  const { digest, point_digest, event_proof, record_proof } = evidence;
  const files: Record<string, string> = {
    'report.html': htmlOf(rows, evidence),
    'report.json': jsonOf(evidence),
    [DIGEST]: jsonOf(digest),
    'public-key.txt': `${digest.public_key}\n`,
    [POINT_DIGEST]: jsonOf(point_digest),
    [EVENT_PROOF]: jsonOf(event_proof),
    ...(record_proof && { [RECORD_PROOF]: jsonOf(record_proof) }),
  };
  const proofs = [DIGEST, POINT_DIGEST, EVENT_PROOF, RECORD_PROOF].filter((name) => name in files);
  files['how-to-check.txt'] = texts.evidence.how_to_check(proofs.join(' '));
  const bytes = Object.entries(files).map(([name, text]) => [name, strToU8(text)] as const);
  return zipSync(Object.fromEntries(bytes)) as Uint8Array<ArrayBuffer>;
}

/** The digest in a file: a digest by itself, or a bundle. @throws Error if it holds none */
export async function digestIn(file: File): Promise<Record<string, unknown>> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const is_archive = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const found = is_archive
    ? unzipSync(bytes, {
        filter: ({ name, originalSize }) => name === DIGEST && originalSize < 1e6,
      })
    : { [DIGEST]: bytes };
  const text = found[DIGEST];
  const digest: unknown = text && JSON.parse(strFromU8(text));
  if (typeof digest !== 'object' || digest === null) throw new Error(texts.evidence.no_digest);
  return digest as Record<string, unknown>;
}

const jsonOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function htmlOf(rows: readonly ReportRow[], evidence: Evidence): string {
  const title = texts.evidence.report_of(evidence.organization);
  const lines = rows.map(
    ([name, value]) => `<tr><th>${escaped(name)}</th><td>${escaped(value)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escaped(title)}</title>
<style>
body { max-width: 960px; margin: 2rem auto; font-family: system-ui, sans-serif; }
table { border-collapse: collapse; }
th, td { padding: 6px 12px; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
pre { overflow-wrap: anywhere; white-space: pre-wrap; font-size: 12px; }
</style>
<h1>${escaped(title)}</h1>
<table>${lines.join('\n')}</table>
<h2>${escaped(texts.evidence.all)}</h2>
<pre>${escaped(jsonOf(evidence))}</pre>
</html>
`;
}

const escaped = (text: string): string =>
  visibleText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
