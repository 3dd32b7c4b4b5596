import type { DriveQuery } from '../../libs/application/drive-query.js';
import type { Reader } from '../../libs/application/read-record.js';

/** A question as both a running server and the store itself can be asked it. */
export interface Question<Input, Answer> {
  /** Below `/organization/`. */
  readonly path: string;
  readonly query: new (reader: Reader, input: Input) => DriveQuery<Input, Answer>;
}

/** Where answers come from. */
export interface Source {
  /** @throws Failure */
  ask<Input, Answer>(question: Question<Input, Answer>, input: Input): Promise<Answer>;
  close(): Promise<void>;
}
