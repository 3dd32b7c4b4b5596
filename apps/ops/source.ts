import type { DeclaredQuery } from '../../libs/application/drive-query.js';
import type { PointRequest } from '../../libs/engine/past/points.js';

/** A query for a running server or for the stores themselves. */
export interface Question<Input, Answer> {
  /** Below the organization's own, such as `organization/replay`. */
  readonly path: string;
  /** Answers from the stores; `digest` is signed with the installation's key. */
  readonly query: Pick<DeclaredQuery<Input, Answer>, 'answer'> | 'digest';
  /** HTTP method; POST unless given. */
  readonly method?: 'GET';
  /** The request body, if it is not the input itself. */
  readonly body?: (input: Input) => object;
}

/** Source of answers: a server, or the stores. */
export interface Source {
  /** @throws Failure, of them Refused */
  ask<Input, Answer>(
    question: Question<Input, Answer>,
    input: Input,
    /** For queries without a point of their own; absent: the current revision. */
    as_of?: PointRequest,
  ): Promise<Answer>;
  close(): Promise<void>;
}
