/** The object that a text holds as JSON, null for other texts. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    const is_object = typeof value === 'object' && value !== null && !Array.isArray(value);
    return is_object ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
