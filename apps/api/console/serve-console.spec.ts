import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { JsonLogger } from '../platform/logs/logging.js';
import { createFastifyAdapter } from '../platform/server.js';
import { loadSettings } from '../platform/settings/settings.js';
import { serveConsole } from './serve-console.js';

describe('the console on the server', () => {
  let parent: string;
  let server: FastifyInstance;

  beforeAll(async () => {
    parent = mkdtempSync(join(tmpdir(), 'console-'));
    const folder = join(parent, 'console');
    mkdirSync(join(folder, 'assets'), { recursive: true });
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Console</title>');
    writeFileSync(join(folder, 'assets/main-x1.js'), 'let a = 1;');
    writeFileSync(join(folder, 'assets/main-x1.js.br'), brotliCompressSync('let a = 1;'));
    writeFileSync(join(parent, 'beside.txt'), 'secret');
    const adapter = createFastifyAdapter(loadSettings({}), new JsonLogger('silent'));
    server = adapter.getInstance<FastifyInstance>();
    serveConsole(server, folder);
    await server.ready();
  });
  afterAll(async () => {
    await server.close();
    rmSync(parent, { recursive: true });
  });

  it.each([
    '/console',
    '/console/',
    '/console/DriveID_a/state/contacts?at=r3',
    '/console/x.y',
    '/console/DriveID_a/record/%E0?at=r3',
    '/console/%',
  ])('answers %s with the page', async (url) => {
    const answer = await server.inject(url);
    expect([answer.statusCode, answer.body]).toEqual([
      200,
      '<!doctype html><title>Console</title>',
    ]);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  it('revalidates the page by its entity tag', async () => {
    const { headers } = await server.inject('/console');
    const again = { 'if-none-match': String(headers.etag) };
    expect((await server.inject({ url: '/console', headers: again })).statusCode).toBe(304);
  });

  it('allows only its own scripts and styles, none of them inline', async () => {
    const { headers } = await server.inject('/console');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it('answers sign-in links with the page, which nothing may keep', async () => {
    const answer = await server.inject('/auto-login?token=a');
    expect([answer.statusCode, answer.body]).toEqual([
      200,
      '<!doctype html><title>Console</title>',
    ]);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
  });

  it('lets assets be cached for ever, and sends them compressed', async () => {
    const url = '/console/assets/main-x1.js';
    const plain = await server.inject(url);
    expect([plain.statusCode, plain.body]).toEqual([200, 'let a = 1;']);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const headers = { 'accept-encoding': 'gzip, br' };
    const packed = await server.inject({ url, headers });
    expect(packed.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'application/javascript; charset=utf-8',
      vary: 'accept-encoding',
    });
    expect(packed.rawPayload).toEqual(brotliCompressSync('let a = 1;'));
  });

  it.each([
    ['/console/assets/none.js', 404],
    ['/console/assets/%E0', 400],
    ['/consoles/%E0', 400],
    ['/console/assets/..%2f..%2fbeside.txt', 403],
    ['/console/assets/%2e%2e/%2e%2e/beside.txt', 404],
  ])('has nothing else: %s', async (url, status) => {
    const answer = await server.inject(url);
    expect([answer.statusCode, answer.body.includes('secret')]).toEqual([status, false]);
  });
});
