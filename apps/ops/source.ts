import type { DriveQuery } from '../../libs/application/drive-query.js';
import type { PointRequest } from '../../libs/engine/past/points.js';
import type { Reader } from '../../libs/application/read-record.js';

/** A question as both a running server and the store itself can be asked it. */
export interface Question<Input, Answer> {
  /** Below the organization's own, such as `organization/replay`. */
  readonly path: string;
  readonly query: new (reader: Reader, input: Input) => DriveQuery<Input, Answer>;
  /** How a server is asked; POST unless given. */
  readonly method?: 'GET';
  /** True if the answer is signed with the installation's key. */
  readonly signs?: boolean;
  /** The body of the request, where it is not the input as it is. */
  readonly body?: (input: Input) => object;
}

/** Where answers come from. */
export interface Source {
  /** @throws Failure, of them Refused */
  ask<Input, Answer>(
    question: Question<Input, Answer>,
    input: Input,
    /** For questions that name no point themselves; absent: now. */
    as_of?: PointRequest,
  ): Promise<Answer>;
  close(): Promise<void>;
}
