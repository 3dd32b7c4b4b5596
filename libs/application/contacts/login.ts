import { loginProfile } from '../../domain/contacts/login.js';
import { isRefusal } from '../../domain/kernel/refusal.js';
import { sha256Hex } from '../../engine/proofs/hashing.js';
import { loginLink } from '../../identity/login-link.js';
import { nowQuery } from '../drive-query.js';
import { type Shown, text, view } from '../../domain/kernel/view.js';

interface AutoLoginInput {
  user_id: string;
  /** The full token of one of the user's API keys. */
  profile_api_key: string;
}

/** A sign-in link for a contact, under both member names that clients use. */
export const autoLoginView = view('AutoLogin', {
  user_id: text(),
  auto_login_url: text(),
  auto_login_link: text('The same as auto_login_url'),
  full_login_instructions: text(),
});
type AutoLogin = Shown<typeof autoLoginView>;

export const GenerateAutoLoginLink = nowQuery<AutoLoginInput, AutoLogin>(
  'GenerateAutoLoginLink',
  (_, __, context, { user_id, profile_api_key }) => {
    const key_digest = sha256Hex(profile_api_key);
    const profile = loginProfile(context, { user_id, key_digest });
    if (isRefusal(profile)) return profile;
    const url = loginLink({ ...profile, profile_api_key });
    return {
      user_id,
      auto_login_url: url,
      auto_login_link: url,
      full_login_instructions: `To sign in to ${profile.org_name} as ${profile.profile_name}, open ${url}`,
    };
  },
);
