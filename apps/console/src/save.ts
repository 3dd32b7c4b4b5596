/** Hands content to the browser's downloads. */
export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun; the browser keeps the content.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
