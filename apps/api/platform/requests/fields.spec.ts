import { IsInt, validateSync } from 'class-validator';
import { ApiError } from '../errors.js';
import * as f from './fields.js';
import { id, text } from './rules.js';
import { MAX_DEPTH } from './reader.js';
import type { Class } from './rule.js';
import { readBody } from './validation.js';

/** The instance as plain members without the absent ones, or the details of the refusal. */
function read(type: Class, body: unknown): unknown {
  try {
    const instance = readBody(body, type) as object;
    if (!(instance instanceof type)) return 'not an instance';
    return Object.fromEntries(Object.entries(instance).filter(([, value]) => value !== undefined));
  } catch (error) {
    if (error instanceof ApiError) return error.details;
    throw error;
  }
}

const reason = (pointer: string, words: string, limit?: number) =>
  limit === undefined ? { pointer, reason: words } : { pointer, reason: words, limit };

class Member {
  @f.Text({ min: 1, max: 256, required: true }) name!: string;
  @f.Email() email?: string;
}

class Body {
  @f.Id('GroupID_') id?: string;
  @f.Text({ min: 1, max: 8, required: true, trim: true }) name!: string;
  @f.Url({ max: 40 }) avatar?: string;
  @f.Url({ http_only: true, no_user: true, not_empty: true }) endpoint?: string;
  @f.Id(['UserID_', 'GroupID_'], { literals: ['PUBLIC'] }) grantee?: string;
  @f.Timestamp({ default: 0 }) begin?: number;
  @f.Timestamp({ expiry: true, default: -1 }) expires_at?: number;
  @f.Flag() on?: boolean;
  @f.OneOf(['BROWSER_CACHE', 'AWS'], { aliases: { BrowserCache: 'BROWSER_CACHE' } }) disk?: string;
  @f.PermissionTypes(['VIEW', 'EDIT'], { aliases: { READ: 'VIEW' } }) types?: string[];
  @f.EvmAddress() evm?: string;
  @f.JsonObject({ max: 20 }) extra?: object;
  @f.Nested(() => Member) admin?: Member;
  @f.ListOf(() => Member, { max: 2 }) members?: Member[];
  @f.ListOf(text({ max: 3 }), { distinct: true }) labels?: string[];
}

const nest = (depth: number): unknown =>
  Array.from({ length: depth }).reduce((inner) => ({ inner }), 1);

const DEFAULTS = { begin: 0, expires_at: -1 };
const SURROGATE = '\ud800';

describe('fields', () => {
  it.each<[string, object, object]>([
    ['trims before it counts', { name: '  12345678 ' }, { name: '12345678' }],
    ['counts UTF-16 code units', { name: '😀😀😀😀' }, { name: '😀😀😀😀' }],
    ['leaves unknown fields out', { action: 'x', constructor: 'y' }, {}],
    ['takes an empty URL', { avatar: '' }, { avatar: '' }],
    ['takes any absolute URL', { avatar: 'data:,x' }, { avatar: 'data:,x' }],
    ['takes literals among ids', { grantee: 'PUBLIC' }, { grantee: 'PUBLIC' }],
    ['takes the second prefix', { grantee: 'GroupID_a' }, { grantee: 'GroupID_a' }],
    ['takes 128 characters', { id: `GroupID_${'a'.repeat(128)}` }, { id: expect.any(String) }],
    ['converts digits', { begin: '-5' }, { begin: -5 }],
    ['skips leading zeros', { begin: '7'.padStart(8192, '0') }, { begin: 7 }],
    ['reads -0 as 0', { begin: -0 }, { begin: 0 }],
    ['reads expiry 0 as never', { expires_at: 0 }, { expires_at: -1 }],
    ['reads expiry "0" as never', { expires_at: '0' }, { expires_at: -1 }],
    ['reads expiry null as never', { expires_at: null }, { expires_at: -1 }],
    ['keeps false', { on: false }, { on: false }],
    ['spells aliases out', { disk: 'BrowserCache' }, { disk: 'BROWSER_CACHE' }],
    ['collapses repeats', { types: ['VIEW', 'READ', 'EDIT'] }, { types: ['VIEW', 'EDIT'] }],
    ['reads null as absence', { id: null, on: null, admin: null, members: null }, {}],
    ['reads lists of texts', { labels: ['a', 'b', 'a'] }, { labels: ['a', 'b'] }],
    ['reads objects', { admin: { name: 'x', y: 1 } }, { admin: { name: 'x' } }],
  ])('%s', (_, body, expected) => {
    const want = { name: 'n', ...DEFAULTS, ...expected };
    expect(read(Body, { name: 'n', ...body })).toEqual(want);
  });

  it.each<[object, ReturnType<typeof reason>]>([
    [{ name: undefined }, reason('/name', 'is required')],
    [{ name: null }, reason('/name', 'is required')],
    [{ name: '' }, reason('/name', 'must not be empty', 1)],
    [{ name: ' ' }, reason('/name', 'must not be empty', 1)],
    [{ name: '123456789' }, reason('/name', 'must be at most 8 characters', 8)],
    [{ name: 5 }, reason('/name', 'must be a string')],
    [{ id: 'UserID_a' }, reason('/id', 'must be an id beginning with GroupID_')],
    [{ id: 'GroupID_' }, reason('/id', 'must be an id beginning with GroupID_')],
    [{ id: 'GroupID_a.b' }, reason('/id', 'must be an id beginning with GroupID_')],
    [{ id: `GroupID_${'a'.repeat(129)}` }, reason('/id', 'must be an id beginning with GroupID_')],
    [
      { grantee: 'x' },
      reason('/grantee', 'must be an id beginning with UserID_ or GroupID_ or PUBLIC'),
    ],
    [{ avatar: 'cat.png' }, reason('/avatar', 'must be an absolute URL or empty')],
    [{ avatar: 'JavaScript:alert(1)' }, reason('/avatar', 'must not be a javascript: URL')],
    [{ avatar: 'java\nscript:alert(1)' }, reason('/avatar', 'must be an absolute URL or empty')],
    [{ avatar: ' javascript:alert(1)' }, reason('/avatar', 'must be an absolute URL or empty')],
    [{ avatar: 'vbscript:x' }, reason('/avatar', 'must not be a vbscript: URL')],
    [{ avatar: 'file:///etc/passwd' }, reason('/avatar', 'must not be a file: URL')],
    [
      { avatar: `http://x/${'a'.repeat(32)}` },
      reason('/avatar', 'must be at most 40 characters', 40),
    ],
    [{ endpoint: '' }, reason('/endpoint', 'must be an absolute http or https URL')],
    [{ endpoint: 'ftp://x' }, reason('/endpoint', 'must be an absolute http or https URL')],
    [{ endpoint: 'http://u:p@x' }, reason('/endpoint', 'must not contain a user name or password')],
    [
      { begin: 1.5 },
      reason('/begin', 'must be an integer of milliseconds, as a number or a string of digits'),
    ],
    [
      { begin: '9'.repeat(20) },
      reason('/begin', 'must be an integer of milliseconds, as a number or a string of digits'),
    ],
    [
      { begin: '7'.padStart(8193, '0') },
      reason('/begin', 'must be an integer of milliseconds, as a number or a string of digits'),
    ],
    [
      { begin: '0x10' },
      reason('/begin', 'must be an integer of milliseconds, as a number or a string of digits'),
    ],
    [{ expires_at: -2 }, reason('/expires_at', 'must be -1 (never) or a time', -1)],
    [{ on: 1 }, reason('/on', 'must be true or false')],
    [{ disk: 'aws' }, reason('/disk', 'must be one of BROWSER_CACHE, AWS')],
    [{ disk: 'toString' }, reason('/disk', 'must be one of BROWSER_CACHE, AWS')],
    [{ types: [] }, reason('/types', 'must not be empty', 1)],
    [{ types: ['VIEW', 'FLY'] }, reason('/types/1', 'must be one of VIEW, EDIT')],
    [{ types: 'VIEW' }, reason('/types', 'must be an array')],
    [{ evm: '0x12' }, reason('/evm', 'must be 0x and 40 hex characters, or empty')],
    [
      { admin: { name: 'x', email: 'a b@c.d' } },
      reason('/admin/email', 'must be an email address or empty'),
    ],
    [{ admin: [] }, reason('/admin', 'must be an object')],
    [{ extra: [] }, reason('/extra', 'must be an object')],
    [
      { extra: { a: 'x'.repeat(13) } },
      reason('/extra', 'must be at most 20 characters of JSON', 20),
    ],
    [{ members: [{ name: 'a' }, {}] }, reason('/members/1/name', 'is required')],
    [{ members: [{ name: 'a' }, null] }, reason('/members/1', 'must not be null')],
    [{ members: [1, 2, 3] }, reason('/members', 'must contain at most 2 items', 2)],
    [{ labels: ['abcd'] }, reason('/labels/0', 'must be at most 3 characters', 3)],
    [{ name: SURROGATE }, reason('/name', 'must be well-formed Unicode')],
    [{ 'a/b~c': [SURROGATE] }, reason('/a~1b~0c/0', 'must be well-formed Unicode')],
    [{ begin: Infinity }, reason('/begin', 'must be a finite number')],
  ])('refuses %j', (body, expected) => {
    expect(read(Body, { name: 'n', ...body })).toEqual([expected]);
  });

  it('reports all invalid fields, in order of declaration', () => {
    const body = { members: [{ name: '' }, { email: 'x' }], on: 0, id: 'x' };
    expect((read(Body, body) as { pointer: string }[]).map(({ pointer }) => pointer)).toEqual([
      '/id',
      '/name',
      '/on',
      '/members/0/name',
      '/members/1/name',
      '/members/1/email',
    ]);
  });

  it('bounds nesting', () => {
    expect(read(Body, { name: 'n', deep: nest(MAX_DEPTH - 1) })).toEqual({
      name: 'n',
      ...DEFAULTS,
    });
    expect(read(Body, { deep: nest(MAX_DEPTH) })).toEqual([
      expect.objectContaining({ reason: 'is nested too deeply', limit: MAX_DEPTH }),
    ]);
    expect(read(Body, { deep: nest(100_000) })).toHaveLength(1);
  });

  it.each([null, [], 'text', 5, true])('refuses %j in place of an object', (body) => {
    expect(read(Body, body)).toEqual([reason('', 'must be a JSON object')]);
  });

  it('cannot change a prototype', () => {
    const body: unknown = JSON.parse('{"name":"n","__proto__":{"on":true},"constructor":{"x":1}}');
    expect(read(Body, body)).toEqual({ name: 'n', ...DEFAULTS });
    expect(({} as { on?: boolean }).on).toBeUndefined();
  });
});

describe('null', () => {
  class Update {
    @f.Text({ null: 'clears' }) cleared?: string | null;
    @f.Text({ null: 'keeps' }) kept?: string;
    @f.Text({ null: 'refused' }) refused?: string;
    @f.Timestamp({ expiry: true, null: 'keeps' }) expires_at?: number;
    @f.Text({ required: true, null: 'clears' }) wanted!: string | null;
  }
  it('clears, keeps or is refused, and differs from absence', () => {
    expect(read(Update, { cleared: null, kept: null, expires_at: null, wanted: null })).toEqual({
      cleared: null,
      wanted: null,
    });
    expect(read(Update, { wanted: 'x' })).toEqual({ wanted: 'x' });
    expect(read(Update, { refused: null })).toEqual([
      reason('/refused', 'must not be null'),
      reason('/wanted', 'is required'),
    ]);
  });
});

describe('ListBody', () => {
  class Small extends f.ListBody {
    @f.PageSize(10) override page_size = 10;
    @f.Id('DiskID_', { required: true }) disk_id!: string;
  }
  it('has the defaults of every list', () => {
    const defaults = { filters: '', page_size: 50, direction: 'ASC' };
    expect(read(f.ListBody, {})).toEqual(defaults);
    expect(
      read(f.ListBody, { cursor: '', cursor_up: null, page_size: null, direction: null }),
    ).toEqual(defaults);
  });
  it('bounds page sizes and cursors', () => {
    expect(read(f.ListBody, { page_size: 1000, cursor: 'c'.repeat(256) })).toMatchObject({
      page_size: 1000,
    });
    expect(read(f.ListBody, { page_size: 1001, cursor: 'c'.repeat(257) })).toEqual([
      reason('/page_size', 'must be at most 1000', 1000),
      reason('/cursor', 'must be at most 256 characters', 256),
    ]);
    expect(read(f.ListBody, { page_size: 0 })).toEqual([
      reason('/page_size', 'must be at least 1', 1),
    ]);
    expect(read(f.ListBody, { page_size: '50' })).toHaveLength(1);
  });
  it('allows other defaults in a subclass', () => {
    expect(read(Small, { disk_id: 'DiskID_a' })).toMatchObject({ page_size: 10, filters: '' });
    class Smallest extends Small {
      @f.Text() note?: string;
    }
    expect(read(Smallest, { disk_id: 'DiskID_a' })).toMatchObject({ page_size: 10 });
  });
});

describe('with class-validator itself', () => {
  it('the library runs the checks of fields, too', () => {
    const body = { name: 'n', begin: 7, types: ['EDIT'], members: [{ name: 'y' }] };
    expect(validateSync(Object.assign(new Body(), body))).toEqual([]);
    const wrong = { name: '', id: 'x', on: 1, members: [{}], labels: ['abcd'] };
    const found = validateSync(Object.assign(new Body(), wrong)).map(
      ({ property, constraints }) => [
        property,
        Object.keys(constraints ?? {}).filter((name) => name !== 'rule'),
      ],
    );
    expect(Object.fromEntries(found)).toEqual({
      id: ['matches'],
      name: ['minCodeUnits'],
      on: ['isBoolean'],
      members: [],
      labels: [],
    });
  });

  it('a class with a check but no field, or without a message, is not a body class', () => {
    class Bare {
      @IsInt() size?: number;
    }
    class Silent {
      @IsInt() @f.Integer() size?: number;
    }
    expect(() => read(Bare, {})).toThrow('Bare.size has no rule');
    expect(() => read(Silent, {})).toThrow('no message of its own');
  });

  it('reads lists of ids', () => {
    class Ids {
      @f.ListOf(id('UserID_'), { min: 1, required: true }) ids!: string[];
    }
    expect(read(Ids, { ids: ['UserID_a'] })).toEqual({ ids: ['UserID_a'] });
    expect(read(Ids, { ids: [] })).toEqual([reason('/ids', 'must not be empty', 1)]);
  });
});
