/** What the codec must know of an event type. */
export interface EventSchema {
  /** Version of the event's schema; goes up when its fields change meaning. */
  readonly version: number;
  /** Fields sealed under the drive's data key. */
  readonly secret?: readonly string[];
  /**
   * Fields sealed under the subject's key that the event names in `subject_key_id`. Where that is
   * null or absent the field is nobody's personal data and stays in clear.
   */
  readonly personal?: readonly string[];
  /** Fields that are not sealed but never shown: digests of keys and codes. */
  readonly hidden?: readonly string[];
  /** Field with the id of what the event is about, where that is no record: history is found by it. */
  readonly about?: string;
}

/** Marks for every event of a family, so that none can be forgotten. */
export type EventSchemas<Events> = { readonly [Type in keyof Events]: EventSchema };

/** What evolve may use beside the event's body. */
export interface EventFacts {
  readonly event_id: string;
  readonly timestamp_ms: number;
}
