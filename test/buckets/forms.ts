/** A form as an answer holds it. */
export interface Form {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Posts a form as a browser does: its fields first, the file last. */
export async function postForm({ url, fields }: Form, content: Blob): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', content, 'chosen.bin');
  return fetch(url, { method: 'POST', body });
}

/** The form with some fields replaced. */
export function withFields({ url, fields }: Form, other: Record<string, string>): Form {
  return { url, fields: { ...fields, ...other } };
}
