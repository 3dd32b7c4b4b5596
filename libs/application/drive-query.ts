import { Inject, type Type } from '@nestjs/common';
import { Query, QueryHandler } from '@nestjs/cqrs';
import { refuseWithout } from '../domain/access/denial.js';
import type { Context } from '../domain/foundation/decision.js';
import type { ReadDefinition } from '../domain/foundation/reading.js';
import type { RecordBase } from '../domain/kernel/record.js';
import type { Refusal } from '../domain/kernel/refusal.js';
import type { Outcome } from '../engine/writer/call.js';
import { Drives } from '../engine/drives/drives.js';
import type { Drive } from '../engine/writer/drive.js';
import { Provided } from './providers.js';
import { type ListConditions, type ListInput, type ListPage, listRecords } from './list-records.js';
import { answerFrom, answerNow, type Answering, readRecord, type Reader } from './read-record.js';
import type { ReadScope } from './read-scope.js';
import { folding } from './replay/owners-view.js';
import type { JsonText } from './views.js';

export class DriveQuery<Input, Answer> extends Query<Outcome<Answer | JsonText<Answer>>> {
  constructor(
    readonly reader: Reader,
    readonly input: Input,
  ) {
    super();
  }
}

type Answerer<Input, Answer> = (
  drives: Drives,
  reader: Reader,
  input: Input,
) => Answering<Answer | JsonText<Answer>>;

export type QueryClass<Input, Answer> = new (
  reader: Reader,
  input: Input,
) => DriveQuery<Input, Answer>;

/** A class of queries that programs without a bus can answer as its handler does. */
export type DeclaredQuery<Input, Answer> = QueryClass<Input, Answer> & {
  readonly answer: Answerer<Input, Answer>;
};

/** True for a class declared by `driveQuery`. */
export function isDeclared<Input, Answer>(
  query: QueryClass<Input, Answer>,
): query is DeclaredQuery<Input, Answer> {
  return 'answer' in query;
}

/** Declares the class of a query, with its handler on the bus. */
export function driveQuery<Input, Answer>(
  name: string,
  answer: Answerer<Input, Answer>,
): DeclaredQuery<Input, Answer> {
  const named = {
    [name]: class extends DriveQuery<Input, Answer> {
      static readonly answer = answer;
    },
  };
  const query = named[name]!;

  @QueryHandler(query as Type<DriveQuery<Input, Answer>>)
  class DriveQueryHandler {
    constructor(@Inject(Drives) private readonly drives: Drives) {}

    /** The bus awaits promises only. */
    execute({ reader, input }: DriveQuery<Input, Answer>): Answering<Answer | JsonText<Answer>> {
      return answer(this.drives, reader, input);
    }
  }
  Object.defineProperty(DriveQueryHandler, 'name', { value: `${name}Handler` });
  Provided(DriveQueryHandler);
  return query;
}

/** Answers a query from the current state. */
type Answers<Input, Result> = (
  drives: Drives,
  drive: Drive,
  context: Context,
  input: Input,
) => Result;

/** A class of queries that are answered by `answerNow`. */
type NowQuery<Input, Answer> = QueryClass<Input, Answer> & {
  readonly answer: (drives: Drives, reader: Reader, input: Input) => Promise<Outcome<Answer>>;
};

/** Declares a query of the current state, or one whose input names its points. */
export function nowQuery<Input, Answer>(
  name: string,
  query: Answers<Input, Answer | Refusal | Promise<Answer | Refusal>>,
): NowQuery<Input, Answer> {
  const declared = driveQuery<Input, Answer>(name, (drives, reader, input) =>
    answerNow(drives, reader, (context, drive) => query(drives, drive, context, input)),
  );
  return declared as NowQuery<Input, Answer>;
}

/** Declares a query that one state answers: the current one, or with `as_of` a past one. */
export function stateQuery<Input, Answer>(
  name: string,
  query: (
    context: Context,
    input: Input,
    read_scope: ReadScope,
  ) => Answer | JsonText<Answer> | Refusal | Promise<Answer | Refusal>,
): DeclaredQuery<Input, Answer> {
  return driveQuery(name, (drives, reader, input) =>
    answerFrom<Answer | JsonText<Answer>>(drives, reader, (context, read_scope) =>
      query(context, input, read_scope),
    ),
  );
}

/**
 * Declares a query of the history, for the owner and callers with VIEW on AUDIT. It is refused if the stored events that
 * it folds are damaged.
 */
export function auditQuery<Input, Answer>(
  name: string,
  query: Answers<Input, Promise<Answer | Refusal>>,
): NowQuery<Input, Answer> {
  return nowQuery<Input, Answer>(
    name,
    (drives, drive, context, input) =>
      refuseWithout(context, 'VIEW', 'TABLE_AUDIT') ??
      folding(query(drives, drive, context, input)),
  );
}

/** Declares the query for one record of a family. */
export function getQuery<R extends RecordBase, View>(
  name: string,
  reads: ReadDefinition<R, View>,
): DeclaredQuery<{ id: string }, View> {
  return driveQuery(name, (drives, reader, { id }) => readRecord(drives, reads, reader, id));
}

/** Declares the query for a page of a family's records; `conditions` may limit or refuse it. */
export function listQuery<R extends RecordBase, View, Input extends ListInput = ListInput>(
  name: string,
  reads: ReadDefinition<R, View>,
  conditions: (context: Context, input: Input) => ListConditions | Refusal = () => ({}),
): DeclaredQuery<Input, ListPage<View>> {
  return driveQuery(name, (drives, reader, input) =>
    listRecords(drives, reads, reader, input, (context) => conditions(context, input)),
  );
}
