/** Bodies of events by stored name; each family adds its own by declaration merging. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface DriveEvents {}

export type EventType = keyof DriveEvents;

/** An event as decided: its stored name and its body in clear. */
export type DomainEvent = {
  [Type in EventType]: { readonly type: Type; readonly data: DriveEvents[Type] };
}[EventType];

/** An event with its body type-checked against its name. */
export function event<Type extends EventType>(type: Type, data: DriveEvents[Type]): DomainEvent {
  return { type, data } as DomainEvent;
}
