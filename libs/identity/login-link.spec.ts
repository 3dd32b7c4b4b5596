import { loginLink } from './login-link.js';

const LINK = {
  org_name: 'Bücher & Söhne 書',
  org_id: 'DriveID_abc',
  org_host: 'https://api.example',
  profile_id: 'UserID_def',
  profile_name: '??>>~~',
  profile_api_key: 'eyJh',
};

describe('login link', () => {
  it('carries all members in order, as URL-safe unpadded base64 of JSON', () => {
    const link = loginLink({ frontend_url: 'https://web.example', ...LINK });
    const [base, token] = link.split('?token=');
    expect(base).toBe('https://web.example/auto-login');
    expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(Buffer.from(token!, 'base64url').toString('utf8')).toBe(JSON.stringify(LINK));
    expect(new URL(link).searchParams.get('token')).toBe(token);
  });

  it('keeps a path of the web client and drops slashes at its end', () => {
    const token = loginLink({ frontend_url: '', ...LINK });
    expect(loginLink({ frontend_url: 'https://web.example/app//', ...LINK })).toBe(
      `https://web.example/app${token}`,
    );
  });

  it('carries nothing else', () => {
    const extra = { frontend_url: 'https://web.example', ...LINK, seed_phrase: 'secret' };
    expect(loginLink(extra)).toBe(loginLink({ frontend_url: 'https://web.example', ...LINK }));
  });
});
