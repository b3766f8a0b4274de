import { Button } from '../controls/button.tsx';
import { Snippet } from '../controls/copy.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { Notice } from '../feedback/notice.tsx';

/** Shows the secret of a webhook, once. */
export function NewSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog title="Copy the secret now" stubborn onClose={onClose}>
      <Notice tone="warn">The secret is shown only once. The receiver verifies with it.</Notice>
      <Snippet text={secret} what="secret" />
      <div className="form-actions">
        <Button look="primary" onClick={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  );
}
