import { References, ReferringBody } from './references.js';

const fields = new Set(['name', 'payload']);
const results = new References([
  { id: 'A', note: 'é', list: [1, { deep: null }], none: undefined },
]);
const body = (value: object): ReferringBody => new ReferringBody(value, fields);

describe('references to earlier results', () => {
  it.each([
    ['$0.id', 'A'],
    ['$0.list', [1, { deep: null }]],
    ['$0.list.1.deep', null],
  ])('%s resolves to the member of the result', (name, value) => {
    expect(body({ name }).with(results)).toEqual({ name: value });
    expect(body({ payload: [{ name }] }).with(results)).toEqual({ payload: [{ name: value }] });
  });

  it.each(['$0.none', '$1.id', '$0.id.length', '$0.constructor', '$0.list.map'])(
    '%s does not resolve',
    (name) => expect(body({ name }).unknownAmong(results)).toBe(name),
  );

  it.each(['$0', '$0.', '$0.1st', ' $0.id', '$100.id', '$5.00'])('%s is plain text', (name) => {
    const plain = body({ name });
    expect(plain.is_fixed).toBe(true);
    expect(plain.with(results)).toEqual({ name });
  });

  it('are not replaced in fields that the body does not declare', () => {
    const other = body({ other: '$0.id', more: { name: '$9.id' } });
    expect(other.is_fixed).toBe(true);
    expect(other.with(results)).toEqual({ other: '$0.id', more: { name: '$9.id' } });
  });

  it.each([
    { name: '$0.id' },
    { name: '$0.note', payload: ['$0.list', '$0.list', 'é'] },
    { payload: { 'a"b': '$0.list.1.deep' }, other: '$0.id' },
  ])('are counted with the length of their replacement: %j', (value) => {
    const referring = body(value);
    const text = JSON.stringify(referring.with(results));
    expect(referring.bytesWith(results, Infinity)).toBe(Buffer.byteLength(text));
  });

  it('are counted only up to the limit of a body', () => {
    const long = new References([{ id: 'x'.repeat(1_000) }]);
    const referring = body({ payload: Array<string>(1_000).fill('$0.id') });
    const bytes = referring.bytesWith(long, 5_000);
    expect(bytes).toBeGreaterThan(5_000);
    expect(bytes).toBeLessThan(5_000 + referring.bytes + 1_002);
  });
});
