import type { Reader } from '../../libs/application/read-record.js';
import { signedDigest, SigningKey } from '../../libs/application/proofs/digest.js';
import { JsonText } from '../../libs/application/views.js';
import { isRefused, type Outcome, Unavailable } from '../../libs/engine/writer/call.js';
import type { PointRequest } from '../../libs/engine/past/points.js';
import type { StoreSettings } from '../../libs/stores/settings.js';
import { readSigningKeyOf } from '../../libs/stores/open.js';
import { EXIT, Failure, Refused } from './failure.js';
import { driveIdOf } from './organizations.js';
import type { Question, Source } from './source.js';
import { openForReading, placeOf, type ReadOnlyDrives } from './stores.js';

/** The store itself, with the owner's view: an operator who may read the folder may read all of it. */
export class StoreSource implements Source {
  private constructor(
    private readonly opened: ReadOnlyDrives,
    private readonly reader: Reader,
    private readonly signing_key: SigningKey | null,
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
      const reader: Reader = { drive_id, credential: { kind: 'signature', user_id } };
      return new StoreSource(opened, reader, secret && new SigningKey(secret));
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  async ask<Input, Answer>(
    { query }: Question<Input, Answer>,
    input: Input,
    as_of?: PointRequest,
  ): Promise<Answer> {
    const past = as_of && { point: as_of, as_user: undefined };
    const outcome = await this.outcomeOf(query, input, { ...this.reader, ...(past && { past }) });
    if (isRefused(outcome)) {
      const { refusal, details } = outcome.refusal;
      const blamed = details.map(({ pointer, reason }) => `${pointer.slice(1)} ${reason}`.trim());
      throw new Refused(`Refused: ${[refusal, ...blamed].join(', ')}.`, details);
    }
    const { data } = outcome;
    return data instanceof JsonText ? (JSON.parse(data.text) as Answer) : data;
  }

  private async outcomeOf<Input, Answer>(
    query: Question<Input, Answer>['query'],
    input: Input,
    reader: Reader,
  ): Promise<Outcome<Answer | JsonText<Answer>>> {
    const { drives } = this.opened;
    try {
      if (query !== 'digest') return await query.answer(drives, reader, input);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      throw new Failure(`The store cannot be read (${error.reason}).`, EXIT.unreachable);
    }
    if (!this.signing_key)
      throw new Failure(
        'There is no signing key: set SIGNING_KEY, or start the service once on this data folder.',
        EXIT.unreachable,
      );
    return (await signedDigest(
      drives,
      this.signing_key,
      reader,
      input as object,
    )) as Outcome<Answer>;
  }

  async close(): Promise<void> {
    await this.opened.close();
  }
}
