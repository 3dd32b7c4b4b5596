import { Inject, type Type } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Outcome } from '../engine/writer/call.js';
import { Drives } from '../engine/drives/drives.js';
import type { Answering, Reader } from './read-record.js';
import type { JsonText } from './views.js';

/** A question to a drive: who asks, and what. */
export class DriveQuery<Input, Answer> extends Query<Outcome<Answer | JsonText<Answer>>> {
  constructor(
    readonly reader: Reader,
    readonly input: Input,
  ) {
    super();
  }
}

/** The handler of one question. */
export function driveQueryHandler<Input, Answer>(
  query: Type<DriveQuery<Input, Answer>>,
  answer: (drives: Drives, reader: Reader, input: Input) => Answering<Answer | JsonText<Answer>>,
): Type<IQueryHandler> {
  @QueryHandler(query)
  class DriveQueryHandler {
    constructor(@Inject(Drives) private readonly drives: Drives) {}

    /** The bus waits for what is a promise. */
    execute({ reader, input }: DriveQuery<Input, Answer>): Answering<Answer | JsonText<Answer>> {
      return answer(this.drives, reader, input);
    }
  }
  Object.defineProperty(DriveQueryHandler, 'name', { value: `${query.name}Handler` });
  return DriveQueryHandler as unknown as Type<IQueryHandler>;
}
