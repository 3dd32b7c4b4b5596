/** The schema of an event type, for the codec. */
export interface EventSchema {
  /** Version of the event's schema; it increases when its fields change meaning. */
  readonly version: number;
  /** Fields sealed under the drive's data key. */
  readonly secret?: readonly string[];
  /**
   * Fields sealed under the subject's key in `subject_key_id`. If that is null or absent, the field is not personal
   * data and remains in clear.
   */
  readonly personal?: readonly string[];
  /** Unsealed fields that are never shown: digests of keys and codes. */
  readonly hidden?: readonly string[];
  /** Field with the id of the event's subject, if that is not a record; history is indexed by it. */
  readonly about?: string;
}

/** The schemas of all events of a family; the type requires one for each event. */
export type EventSchemas<Events> = { readonly [Type in keyof Events]: EventSchema };

/** Data that `evolve` may use besides the event's body. */
export interface EventFacts {
  readonly event_id: string;
  readonly timestamp_ms: number;
}
