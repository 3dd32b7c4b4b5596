import { ListOf, Nested, Text } from './fields.js';
import { distance } from '../nearest.js';
import { prefersStrict, strictProblems } from './strictness.js';

class Part {
  @Text() note?: string;
}

class Whole {
  @Text({ required: 'strict' }) name?: string;
  @Text() public_note?: string;
  @Nested(() => Part) part?: Part;
  @ListOf(() => Part) parts?: Part[];
}

const found = (body: Record<string, unknown>): string[] =>
  strictProblems(Whole, { name: 'n', ...body }).map(({ at, reason }) => `${at} ${reason}`);

describe('the header Prefer', () => {
  it.each([
    ['handling=strict', true],
    ['Handling = "strict"', true],
    ['respond-async, handling=strict; wait=10', true],
    ['handling=lenient, handling=strict', false],
    ['handling=lenient', false],
    ['handling', false],
    ['x-handling=strict', false],
    ['', false],
  ])('%j asks for strict handling: %s', (header, expected) => {
    expect(prefersStrict(header)).toBe(expected);
  });
});

describe('strict handling', () => {
  it('names unknown fields with the nearest known one, at any depth', () => {
    expect(found({ pubic_note: 'x' })).toEqual([
      '/pubic_note is unknown; the nearest known field is public_note',
    ]);
    expect(found({ part: { ntoe: 'x' }, parts: [{}, { 'a/b~c': 1 }] })).toEqual([
      '/part/ntoe is unknown; the nearest known field is note',
      '/parts/1/a~1b~0c is unknown; the nearest known field is note',
    ]);
  });

  it('reports absent fields that only strict handling requires', () => {
    expect(found({ name: undefined })).toEqual(['/name is required with strict handling']);
    expect(found({})).toEqual([]);
  });

  it('reports at most 100 fields, and compares no long names', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, nth) => [`field${nth}`, 1]));
    expect(found(many)).toHaveLength(100);
    expect(found({ parts: Array.from({ length: 1000 }, () => many) })).toHaveLength(100);
    expect(found({ ['x'.repeat(65)]: 1 })).toEqual([`/${'x'.repeat(65)} is unknown`]);
  });

  it.each([
    ['', 'abc', 3],
    ['name', 'name', 0],
    ['nmae', 'name', 2],
    ['kitten', 'sitting', 3],
    ['flaw', 'lawn', 2],
  ])('the distance between %j and %j is %d', (one, other, expected) => {
    expect(distance(one, other)).toBe(expected);
    expect(distance(other, one)).toBe(expected);
  });
});
