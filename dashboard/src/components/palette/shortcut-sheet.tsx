import { useState } from 'react';
import { setSingleKeys, showOverlay, singleKeysAreOn } from '../../data/palette.ts';
import { PROJECT_PAGES } from '../../layout/page-lists.ts';
import { Dialog } from '../dialogs/dialog.tsx';

const KEYS = [
  ['Find anything', 'Ctrl K'],
  ['Search on this page', '/'],
  ['New job', 'c'],
  ['Send an instruction', 'Ctrl Enter'],
  ['Review: next, previous file', 'n p'],
  ['Review: mark the file as viewed', 'v'],
  ['Review: comment on the selection', 'c'],
  ['This sheet', '?'],
  ...PROJECT_PAGES.map(({ name, key }) => [`Open ${name}`, `g ${key}`] as const),
] as const;

/** All shortcuts. */
export function ShortcutSheet() {
  const [on, setOn] = useState(singleKeysAreOn);
  return (
    <Dialog title="Shortcuts" onClose={() => showOverlay(null)}>
      <table className="table shortcut-table">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Action</th>
            <th scope="col">Keys</th>
          </tr>
        </thead>
        <tbody>
          {KEYS.map(([action, keys]) => (
            <tr key={action}>
              <td>{action}</td>
              <td className="end">
                {keys.split(' ').map(key => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <label className="row">
        <input
          type="checkbox"
          checked={on}
          onChange={event => {
            setSingleKeys(event.target.checked);
            setOn(event.target.checked);
          }}
        />
        Shortcuts without Ctrl are on
      </label>
    </Dialog>
  );
}
