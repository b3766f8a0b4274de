import { Button } from '../controls/button.tsx';
import { Snippet } from '../controls/copy.tsx';
import { Dialog } from '../dialogs/dialog.tsx';
import { Notice } from '../feedback/notice.tsx';

/** Shows the token of a new key, once. */
export function NewKeyToken({
  token,
  example,
  onClose,
}: {
  token: string;
  example?: string;
  onClose: () => void;
}) {
  return (
    <Dialog title="Copy the key now" stubborn onClose={onClose}>
      <Notice tone="warn">The key is shown only once. Docent stores only its hash.</Notice>
      <Snippet text={token} what="new key" />
      {example && (
        <div className="stack-tight">
          <p className="soft">Try it:</p>
          <Snippet text={example} what="example with the new key" />
        </div>
      )}
      <div className="form-actions">
        <Button look="primary" onClick={onClose}>
          I have copied it
        </Button>
      </div>
    </Dialog>
  );
}
