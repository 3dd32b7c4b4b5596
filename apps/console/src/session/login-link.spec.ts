import { loginLink } from '../../../../libs/identity/login-link.js';
import { readCredential, takeLoginLink } from './login-link.js';

const LINK = loginLink({
  frontend_url: 'https://drive.example',
  org_name: 'Çafé ☕',
  org_id: 'DriveID_a',
  org_host: 'https://drive.example',
  profile_id: 'UserID_a',
  profile_name: 'Añn',
  profile_api_key: 'eyJhIjoxfQ==',
});
const CREDENTIAL = { drive_id: 'DriveID_a', key: 'eyJhIjoxfQ==' };

/** Opens the page at an address: what it takes from there, and the address afterwards. */
function open(url: string) {
  const addresses = [url];
  const history = { replaceState: (_: unknown, __: string, to: string) => addresses.push(to) };
  const taken = takeLoginLink(new URL(url), history as never);
  return { taken, address: addresses.at(-1) };
}

describe('a sign-in link', () => {
  it('is read, and gone from the address', () => {
    expect(open(LINK)).toEqual({ taken: CREDENTIAL, address: '/console' });
  });

  it.each(['', '?token=', '?token=abc', '?token=bnVsbA', '?token=%00'])(
    'is invalid as %s, and gone from the address, too',
    (query) => {
      const url = `https://drive.example/auto-login${query}`;
      expect(open(url)).toEqual({ taken: 'invalid', address: '/console' });
    },
  );

  it('is not looked for elsewhere', () => {
    const url = `https://drive.example/console${new URL(LINK).search}`;
    expect(open(url)).toEqual({ taken: null, address: url });
  });
});

describe('a pasted text', () => {
  it.each([
    ['a link', ` ${LINK}\n`, CREDENTIAL],
    [
      'the JSON of quickstart',
      JSON.stringify({ host: 'h', drive_id: 'DriveID_a', api_key_value: 'eyJhIjoxfQ==' }),
      CREDENTIAL,
    ],
    ['a key alone', ' eyJhIjoxfQ== ', { drive_id: null, key: 'eyJhIjoxfQ==' }],
    ['nothing', ' ', null],
  ])('%s', (_, text, credential) => expect(readCredential(text)).toEqual(credential));
});
