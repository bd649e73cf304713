import { useState } from 'preact/hooks';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { areKeysOn, keyNames, setKeysOn } from './keys.ts';

/** Every key and what it does. */
export function KeysHelp({ close }: { close: () => void }) {
  const [isOn, setOn] = useState(areKeysOn);
  return (
    <Dialog title="Keyboard shortcuts" onClose={close}>
      <dl class="keys">
        {Object.entries(keyNames).map(([key, name]) => (
          <div key={key}>
            <dt>
              {key.split('+').map((part) => (
                <kbd key={part}>{part.length === 1 ? part.toUpperCase() : part}</kbd>
              ))}
            </dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
      <label class="choice">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => {
            setKeysOn(checked);
            setOn(checked);
          }}
        />
        Enable single-key shortcuts (outside of fields)
      </label>
      <DialogActions>
        <button type="button" class="primary" autofocus onClick={close}>
          Close
        </button>
      </DialogActions>
    </Dialog>
  );
}
