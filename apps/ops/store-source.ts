import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CqrsModule, QueryBus } from '@nestjs/cqrs';
import { accessQuestionHandlers } from '../../libs/application/access/questions.js';
import { compareHandlers } from '../../libs/application/history/compare.js';
import { historyHandlers } from '../../libs/application/history/history.js';
import type { Reader } from '../../libs/application/read-record.js';
import { replayHandlers } from '../../libs/application/replay/replay.js';
import { JsonText } from '../../libs/application/views.js';
import { isRefused, Unavailable } from '../../libs/engine/call.js';
import { Drives } from '../../libs/engine/drives.js';
import type { StoreSettings } from '../../libs/stores/settings.js';
import { EXIT, Failure } from './failure.js';
import type { Question, Source } from './source.js';
import { openForReading, placeOf, type ReadOnlyDrives } from './stores.js';

const handlers = [
  ...replayHandlers,
  ...historyHandlers,
  ...compareHandlers,
  ...accessQuestionHandlers,
];

class StoreModule {}

/** The store itself, read as the owner: whoever may read the folder may read all of it. */
export class StoreSource implements Source {
  private constructor(
    private readonly opened: ReadOnlyDrives,
    private readonly app: INestApplicationContext,
    private readonly reader: Reader,
  ) {}

  static async open(settings: StoreSettings, drive_id: string): Promise<StoreSource> {
    const opened = await openForReading(settings);
    try {
      const { drives } = opened;
      if (!(await drives.exists(drive_id)))
        throw new Failure(`${placeOf(settings)} holds no organization ${drive_id}.`, EXIT.refused);
      const { state } = await drives.open(drive_id);
      const user_id = state.organization.owner_id;
      const app = await NestFactory.createApplicationContext(
        {
          module: StoreModule,
          imports: [CqrsModule.forRoot()],
          providers: [{ provide: Drives, useValue: drives }, ...handlers],
        },
        { logger: false, abortOnError: false },
      );
      return new StoreSource(opened, app, {
        drive_id,
        credential: { kind: 'signature', user_id },
      });
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  async ask<Input, Answer>({ query }: Question<Input, Answer>, input: Input): Promise<Answer> {
    const outcome = await this.app
      .get(QueryBus)
      .execute(new query(this.reader, input))
      .catch((error: unknown) => {
        if (!(error instanceof Unavailable)) throw error;
        throw new Failure(`The store cannot be read (${error.reason}).`, EXIT.unreachable);
      });
    if (isRefused(outcome)) {
      const { refusal, details } = outcome.refusal;
      const blamed = details.map(({ pointer, reason }) => `${pointer.slice(1)} ${reason}`.trim());
      throw new Failure(`Refused: ${[refusal, ...blamed].join(', ')}.`, EXIT.refused);
    }
    const { data } = outcome;
    return data instanceof JsonText ? (JSON.parse(data.text) as Answer) : data;
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.opened.close();
  }
}
