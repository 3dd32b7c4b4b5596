import { Random as Generator } from '../../../apps/demo/random.js';

/** Numbers, bytes and texts that look random and are the same for the same seed. */
export class Random extends Generator {
  override pick<T>(from: readonly T[]): T {
    return super.pick(from)!;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }

  uuid(): string {
    const hex = [0, 0, 0, 0]
      .map(() =>
        this.below(2 ** 32)
          .toString(16)
          .padStart(8, '0'),
      )
      .join('');
    const version = `4${hex.slice(13, 16)}`;
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  /** Words of a small made-up language, up to exactly `length` characters. */
  text(length: number): string {
    let text = '';
    while (text.length < length) text += `${this.pick(SYLLABLES)}${this.pick(SYLLABLES)} `;
    return text.slice(0, length - 1) + 'a';
  }
}

const SYLLABLES = ['ka', 'lo', 'mi', 'ner', 'os', 'pra', 'qui', 'ru', 'sta', 'tel', 'ul', 'ven'];
