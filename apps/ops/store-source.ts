import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CqrsModule, QueryBus } from '@nestjs/cqrs';
import { accessPastHandlers } from '../../libs/application/access/past.js';
import { accessQuestionHandlers } from '../../libs/application/access/questions.js';
import { listDirectoryHandler } from '../../libs/application/directory/list.js';
import { compareHandlers } from '../../libs/application/history/compare.js';
import { historyHandlers } from '../../libs/application/history/history.js';
import type { Reader } from '../../libs/application/read-record.js';
import { digestHandlers, SigningKey } from '../../libs/application/proofs/digest.js';
import { replayHandlers } from '../../libs/application/replay/replay.js';
import { JsonText } from '../../libs/application/views.js';
import { isRefused, Unavailable } from '../../libs/engine/writer/call.js';
import { Drives } from '../../libs/engine/drives/drives.js';
import type { PointRequest } from '../../libs/engine/past/points.js';
import type { StoreSettings } from '../../libs/stores/settings.js';
import { readSigningKeyOf } from '../../libs/stores/signing-key.js';
import { EXIT, Failure, Refused } from './failure.js';
import { driveIdOf } from './organizations.js';
import type { Question, Source } from './source.js';
import { openForReading, placeOf, type ReadOnlyDrives } from './stores.js';

const handlers = [
  ...replayHandlers,
  ...historyHandlers,
  ...compareHandlers,
  ...accessQuestionHandlers,
  ...accessPastHandlers,
  listDirectoryHandler,
];

class StoreModule {}

/** The store itself, with the owner's view: an operator who may read the folder may read all of it. */
export class StoreSource implements Source {
  private constructor(
    private readonly opened: ReadOnlyDrives,
    private readonly app: INestApplicationContext,
    private readonly reader: Reader,
    private readonly can_sign: boolean,
  ) {}

  static async open(settings: StoreSettings, drive: string): Promise<StoreSource> {
    const opened = await openForReading(settings);
    try {
      const { drives } = opened;
      const drive_id = await driveIdOf(drives, drive);
      if (!(await drives.exists(drive_id)))
        throw new Failure(`${placeOf(settings)} holds no organization ${drive_id}.`, EXIT.refused);
      const { state } = await drives.open(drive_id);
      const user_id = state.organization.owner_id;
      const secret = readSigningKeyOf(settings);
      const signing = secret
        ? [{ provide: SigningKey, useValue: new SigningKey(secret) }, ...digestHandlers]
        : [];
      const app = await NestFactory.createApplicationContext(
        {
          module: StoreModule,
          imports: [CqrsModule.forRoot()],
          providers: [{ provide: Drives, useValue: drives }, ...handlers, ...signing],
        },
        { logger: false, abortOnError: false },
      );
      const reader: Reader = { drive_id, credential: { kind: 'signature', user_id } };
      return new StoreSource(opened, app, reader, secret !== null);
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  async ask<Input, Answer>(
    { query, signs = false }: Question<Input, Answer>,
    input: Input,
    as_of?: PointRequest,
  ): Promise<Answer> {
    if (signs && !this.can_sign)
      throw new Failure(
        'There is no signing key: set SIGNING_KEY, or start the service once on this data folder.',
        EXIT.unreachable,
      );
    const past = as_of && { point: as_of, as_user: undefined };
    const outcome = await this.app
      .get(QueryBus)
      .execute(new query({ ...this.reader, ...(past && { past }) }, input))
      .catch((error: unknown) => {
        if (!(error instanceof Unavailable)) throw error;
        throw new Failure(`The store cannot be read (${error.reason}).`, EXIT.unreachable);
      });
    if (isRefused(outcome)) {
      const { refusal, details } = outcome.refusal;
      const blamed = details.map(({ pointer, reason }) => `${pointer.slice(1)} ${reason}`.trim());
      throw new Refused(`Refused: ${[refusal, ...blamed].join(', ')}.`, details);
    }
    const { data } = outcome;
    return data instanceof JsonText ? (JSON.parse(data.text) as Answer) : data;
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.opened.close();
  }
}
