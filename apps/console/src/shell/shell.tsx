import {
  ActionIcon,
  Menu,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { CrashBoundary } from '../components/crash-boundary.js';
import {
  ChevronDownIcon,
  MenuIcon,
  MoonIcon,
  PlusIcon,
  SunIcon,
  UserIcon,
} from '../components/icons.js';
import { UserText } from '../components/user-text.js';
import { PointBar } from '../point/point-bar.js';
import { PAGES } from '../routes.js';
import { useSession } from '../session/session-context.js';
import { useSessions } from '../session/sessions-context.js';
import { texts } from '../texts.js';
import { visibleText } from '../visible-text.js';
import { PageLink, useIsCurrent, usePageHref } from './links.js';
import { PrintHead } from './print-head.js';
import { useScrollPadding } from './use-scroll-padding.js';
import styles from './shell.module.css';

/** What all pages of an organization have around them. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const header = useScrollPadding();
  return (
    <>
      <a className={styles.skip} href="#content">
        {texts.skip_to_content}
      </a>
      <header ref={header} className={styles.top}>
        <div className={styles.bar}>
          <OrganizationMenu />
          <nav className={styles.nav} aria-label={texts.pages.menu}>
            {menuPages().map(({ path, title }) => (
              <NavigationLink key={path} path={path} title={title} />
            ))}
          </nav>
          <div className={styles.end}>
            <SchemeButton />
            <UserMenu />
            <PagesMenu />
          </div>
        </div>
        <CrashBoundary>
          <PointBar />
        </CrashBoundary>
      </header>
      <PrintHead />
      <main id="content" className={styles.main} tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

const menuPages = () => PAGES.filter(({ in_menu }) => in_menu);

function NavigationLink({ path, title }: { readonly path: string; readonly title: string }) {
  const isCurrent = useIsCurrent();
  return (
    <PageLink to={path} current={isCurrent(path)}>
      {title}
    </PageLink>
  );
}

/** The pages on a narrow screen. */
function PagesMenu() {
  const [, navigate] = useLocation();
  const href = usePageHref();
  const isCurrent = useIsCurrent();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          className={styles.menu!}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={texts.pages.menu}
        >
          <MenuIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {menuPages().map(({ path, title }) => (
          <Menu.Item
            key={path}
            aria-current={isCurrent(path) ? 'page' : undefined}
            onClick={() => navigate(href(path))}
          >
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function OrganizationMenu() {
  const { org_name, drive_id } = useSession();
  const { sessions } = useSessions();
  const [, navigate] = useLocation();
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <button type="button" className={styles.brand} title={drive_id}>
          <span className={styles.brandName}>
            <UserText text={org_name} />
          </span>
          <ChevronDownIcon size={16} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{texts.session.switch}</Menu.Label>
        {sessions.map((one) => (
          <Menu.Item
            key={one.drive_id}
            aria-current={one.drive_id === drive_id ? 'true' : undefined}
            onClick={() => navigate(`/${one.drive_id}/${PAGES[0]!.path}`)}
          >
            <UserText text={one.org_name} />
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<PlusIcon size={16} />} onClick={() => navigate('/')}>
          {texts.session.add}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function UserMenu() {
  const { user_name, drive_id } = useSession();
  const label = texts.session.signed_in_as(visibleText(user_name));
  const { signOut } = useSessions();
  const [, navigate] = useLocation();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label}>
          <UserIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{label}</Menu.Label>
        <Menu.Item
          onClick={() => {
            navigate('/');
            signOut(drive_id);
          }}
        >
          {texts.session.sign_out}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function SchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'light' ? 'dark' : 'light';
  const label = other === 'dark' ? texts.scheme.to_dark : texts.scheme.to_light;
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        onClick={() => setColorScheme(other)}
      >
        {other === 'dark' ? <MoonIcon /> : <SunIcon />}
      </ActionIcon>
    </Tooltip>
  );
}
