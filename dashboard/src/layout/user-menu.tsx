import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { Menu } from '../components/controls/menu.tsx';
import { Notice } from '../components/feedback/notice.tsx';
import { Icon } from '../components/text/icons.tsx';
import { useSession } from '../data/place.ts';
import { call, RequestError } from '../data/request.ts';
import { ThemeChoice } from './theme.tsx';

/** The theme, and a menu with the account and sign-out. */
export function UserMenu() {
  const { user, managesOrganizations } = useSession();
  const router = useRouter();
  const client = useQueryClient();
  const signOut = useMutation({
    async mutationFn() {
      await call('DELETE /session', {}).catch((error: unknown) => {
        // 401: the session has already ended.
        if (!(error instanceof RequestError && error.status === 401)) throw error;
      });
      await router.navigate({ to: '/sign-in' });
      client.clear();
    },
  });
  return (
    <>
      {signOut.error && (
        <Notice tone="bad">You are still signed in. {signOut.error.message}</Notice>
      )}
      <ThemeChoice />
      <Menu
        className="nav-link button-quiet"
        label="account"
        button={
          <>
            <Icon name="user" />
            <span className="clip">{user.name}</span>
          </>
        }
      >
        <p className="menu-title">{user.email}</p>
        <Link to="/-/account" className="menu-item">
          Account and sessions
        </Link>
        {managesOrganizations && (
          <Link to="/-/organizations" className="menu-item">
            Organizations
          </Link>
        )}
        <HelpLinks />
        <hr className="menu-rule" />
        <button type="button" className="menu-item" onClick={() => signOut.mutate()}>
          Sign out
        </button>
      </Menu>
    </>
  );
}

function HelpLinks() {
  return (
    <>
      <a href="/docs" className="menu-item">
        Docent docs <Icon name="external" size={14} />
      </a>
      <a href="/reference" className="menu-item">
        API reference <Icon name="external" size={14} />
      </a>
    </>
  );
}
