/** What one operation does, for the OpenAPI document. */
export interface OperationText {
  readonly summary: string;
  /** What a caller could not guess from body and answer. */
  readonly description?: string;
}

/** By method and path, the path of drive operations counted from behind the organization's id. */
export type OperationTexts = Readonly<Record<string, OperationText>>;
