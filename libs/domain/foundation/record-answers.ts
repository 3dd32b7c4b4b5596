import { bodyOf } from '../kernel/fields.js';
import type { Table } from '../kernel/table.js';
import { flag, type Shown, text, view } from '../kernel/view.js';
import { type ById, decidedBy, type Unnamed } from './commands.js';
import type { Context, Decider } from './decision.js';
import type { DomainEvent, DriveEvents } from './events.js';
import type { Records, Tables } from './state.js';

/** Answers of a family's commands: the record just after the command, as the caller sees it. */
export function recordAnswers<Name extends keyof Records, View>(
  family: Name,
  present: (context: Context, record: Records[Name]) => View,
) {
  const byId = (context: Context, id: string): View =>
    present(context, tableOf(context.state, family).get(id)!);
  return {
    byId,
    /** Defines a command that updates a record by its id. */
    update: <Command extends ById>(decide: Decider<Command>) =>
      decidedBy(decide, { answer: (context, { id }) => byId(context, id) }),
    /** The record that the command's event created; `id_field` of the event names it. */
    created:
      <Type extends keyof DriveEvents>(
        type: Type,
        id_field: keyof {
          [F in keyof DriveEvents[Type] as DriveEvents[Type][F] extends string ? F : never]: F;
        },
      ) =>
      (context: Context, _: unknown, events: readonly DomainEvent[]): View =>
        byId(context, bodyOf(events, type)![id_field] as string),
  };
}

function tableOf<Name extends keyof Records>(tables: Tables, family: Name): Table<Records[Name]> {
  return tables[family];
}

export const deletedView = view('Deleted', {
  id: text(),
  deleted: flag<true>({ example: true }),
});
export type Deleted = Shown<typeof deletedView>;

/** Defines a command that deletes a record by its id. */
export function deletion(decide: Decider<ById>): Unnamed<ById, Deleted> {
  return decidedBy(decide, { answer: (_, { id }) => ({ id, deleted: true }) });
}
