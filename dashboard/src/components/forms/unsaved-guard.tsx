import { useBlocker } from '@tanstack/react-router';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../dialogs/dialog.tsx';

/** Asks before a page with unsaved changes is left; on reload, the browser asks. */
export function UnsavedGuard({ isChanged }: { isChanged: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Dialog title="Leave without saving?" onClose={blocker.reset}>
      <p>Your changes on this page are not saved.</p>
      <div className="form-actions">
        <Button look="danger-fill" onClick={blocker.proceed}>
          Leave
        </Button>
        <Button onClick={blocker.reset}>Stay</Button>
      </div>
    </Dialog>
  );
}
