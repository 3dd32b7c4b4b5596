import { described, either, listOf, mapOf, nullable, oneOf, optional, text, view } from './view.js';

const owner = view('Owner', { name: text('Of the contact') });

describe('a view', () => {
  it('is a component in which members are required unless they are optional', () => {
    const disk = view('Disk', {
      id: text({ example: 'DiskID_1' }),
      kind: nullable(oneOf(['A', 'B'])),
      labels: listOf(text(), 'Values'),
      note: optional(text(), 'If there is one'),
    });
    expect(disk.schema).toEqual({ $ref: '#/components/schemas/Disk' });
    expect(disk.component).toEqual({
      type: 'object',
      required: ['id', 'kind', 'labels'],
      properties: {
        id: { type: 'string', example: 'DiskID_1' },
        kind: { type: ['string', 'null'], enum: ['A', 'B', null] },
        labels: { type: 'array', items: { type: 'string' }, description: 'Values' },
        note: { type: 'string', description: 'If there is one' },
      },
    });
  });

  it('lists the views that it refers to, at any depth', () => {
    const disk = view('Disk', { owners: mapOf(listOf(owner)) });
    const found = view('Found', { disk: optional(either(disk, owner)) });
    expect(new Set(found.views)).toEqual(new Set([owner, disk, found]));
  });

  it('refers to other views, also with a description or as nullable', () => {
    const reference = { $ref: '#/components/schemas/Owner' };
    expect(described(owner, 'Who').schema).toEqual({ allOf: [reference], description: 'Who' });
    expect(nullable(owner, 'Who').schema).toEqual({
      anyOf: [reference, { type: 'null' }],
      description: 'Who',
    });
  });
});
