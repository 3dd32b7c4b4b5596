import { Text } from '../platform/requests/fields.js';
import { BOOKMARK_NAME, PointBody } from '../replay/points.js';

const Name = (): PropertyDecorator =>
  Text({
    required: true,
    min: 1,
    max: 64,
    pattern: BOOKMARK_NAME,
    pattern_text: '1–64 characters of a–z, 0–9 and -',
    example: 'year-end',
  });

export class CreateBookmarkBody extends PointBody {
  @Name() name!: string;
  @Text({ max: 8192 }) note?: string;
}

export class DeleteBookmarkBody {
  @Name() name!: string;
}
