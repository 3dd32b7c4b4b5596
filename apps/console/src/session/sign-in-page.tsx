import { Alert, Button, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { describeError } from '../api/errors.js';
import { Loading } from '../components/states.js';
import { CloseIcon } from '../components/icons.js';
import { UserText } from '../components/user-text.js';
import { PAGES } from '../routes.js';
import { useTabTitle } from '../shell/page-title.js';
import { texts } from '../texts.js';
import { visibleText } from '../visible-text.js';
import { type Credential, type OpenedLink, readCredential } from './login-link.js';
import { forgetKnown, readKnown } from './sessions.js';
import { useSessions } from './sessions-context.js';
import styles from './sign-in-page.module.css';

interface Problem {
  readonly title: string;
  readonly hint: string;
}

interface SignInPageProps {
  /** The sign-in link that the page was opened by. */
  readonly link?: OpenedLink;
  /** The link is then used up: it must not sign in again after people sign out. */
  readonly onSignedIn?: () => void;
  /** The organization of the address: after signing in, the page at that address is shown. */
  readonly drive_id?: string;
}

/** Signs in by a key, a sign-in link, or the JSON of quickstart. */
export function SignInPage({ link = null, onSignedIn, drive_id = '' }: SignInPageProps) {
  useTabTitle(texts.session.title);
  const { signIn, expired } = useSessions();
  const [, navigate] = useLocation();
  const linked = link === 'invalid' ? null : link;
  const [opening, setOpening] = useState(linked !== null);
  const [problem, setProblem] = useState<Problem | null>(
    link === 'invalid'
      ? { title: texts.session.link_invalid, hint: texts.session.link_invalid_hint }
      : expired.has(drive_id)
        ? { title: texts.session.expired, hint: texts.session.key_invalid_hint }
        : null,
  );

  async function open(credential: Credential & { readonly drive_id: string }): Promise<void> {
    setOpening(true);
    setProblem(null);
    try {
      await signIn(credential);
      onSignedIn?.();
      if (drive_id !== credential.drive_id)
        navigate(`/${credential.drive_id}/${PAGES[0]!.path}`, { replace: true });
    } catch (error) {
      setProblem(problemOf(error));
      setOpening(false);
    }
  }

  const is_opened = useRef(false);
  useEffect(() => {
    if (!linked?.drive_id || is_opened.current) return;
    is_opened.current = true;
    void open({ ...linked, drive_id: linked.drive_id });
  });

  return (
    <main className={styles.page}>
      <Paper className={styles.card!} withBorder radius="lg" p="xl">
        <Stack gap="lg">
          <div>
            <Text size="sm" fw={650} c="dimmed">
              {texts.product}
            </Text>
            <Title order={1} size="h2">
              {texts.session.title}
            </Title>
            <Text c="dimmed">{texts.session.intro}</Text>
          </div>
          {problem && (
            <Alert color="red" title={problem.title} role="alert">
              {problem.hint}
            </Alert>
          )}
          {opening && <Loading what={texts.session.opening} />}
          {/* It stays: if signing in fails, people correct what they typed, or try the link again. */}
          <div hidden={opening}>
            <SignInForm
              drive_id={linked?.drive_id ?? drive_id}
              initial_key={linked?.key ?? ''}
              onSubmit={(credential) => void open(credential)}
            />
          </div>
          <Text size="xs" c="dimmed">
            {texts.session.privacy}
          </Text>
        </Stack>
      </Paper>
    </main>
  );
}

interface SignInFormProps {
  readonly drive_id: string;
  /** Of the link that the page was opened by: the address has lost it. */
  readonly initial_key: string;
  readonly onSubmit: (credential: Credential & { readonly drive_id: string }) => void;
}

function SignInForm({ drive_id, initial_key, onSubmit }: SignInFormProps) {
  const [pasted, setPasted] = useState(initial_key);
  const [organization, setOrganization] = useState(drive_id);
  const [missing, setMissing] = useState<'credential' | 'organization' | null>(null);
  const [known, setKnown] = useState(() => readKnown(localStorage));
  const known_title = useId();
  const credential = readCredential(pasted);
  const names_organization = credential !== null && credential.drive_id !== null;

  function submit(event: FormEvent): void {
    event.preventDefault();
    const of = credential?.drive_id ?? organization.trim();
    if (!credential) setMissing('credential');
    else if (of === '') setMissing('organization');
    else onSubmit({ key: credential.key, drive_id: of });
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <PasswordInput
          label={texts.session.credential}
          description={texts.session.credential_hint}
          value={pasted}
          onChange={({ currentTarget }) => {
            setPasted(currentTarget.value);
            setMissing(null);
          }}
          error={missing === 'credential' && texts.session.credential_missing}
          autoComplete="off"
          data-autofocus
        />
        {!names_organization && (
          <TextInput
            label={texts.session.organization}
            description={texts.session.organization_hint}
            value={organization}
            onChange={({ currentTarget }) => {
              setOrganization(currentTarget.value);
              setMissing(null);
            }}
            error={missing === 'organization' && texts.session.organization_missing}
            autoComplete="off"
            spellCheck={false}
          />
        )}
        {!names_organization && known.length > 0 && (
          <div>
            <Text id={known_title} size="sm" fw={500} mb={4}>
              {texts.session.known}
            </Text>
            <ul className={styles.known} aria-labelledby={known_title}>
              {known.map(({ drive_id: id, org_name }) => (
                <li key={id}>
                  <button
                    type="button"
                    className={styles.name}
                    aria-pressed={organization === id}
                    title={id}
                    onClick={() => setOrganization(id)}
                  >
                    <UserText text={org_name} />
                  </button>
                  <button
                    type="button"
                    className={styles.forget}
                    aria-label={texts.session.forget(visibleText(org_name))}
                    onClick={() => setKnown(forgetKnown(localStorage, id))}
                  >
                    <CloseIcon size={14} />
                  </button>
                </li>
              ))}
            </ul>
          </div>
        )}
        <Button type="submit" fullWidth mt="xs">
          {texts.session.submit}
        </Button>
      </Stack>
    </form>
  );
}

function problemOf(error: unknown): Problem {
  const { title, message, status } = describeError(error);
  if (status === 401)
    return { title: texts.session.key_invalid, hint: texts.session.key_invalid_hint };
  if (status === 404 || status === 400)
    return { title: texts.session.organization_unknown, hint: texts.session.organization_hint };
  return { title, hint: message };
}
