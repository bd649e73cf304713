import { AppRegistryError } from '@appregistrar/client';
import type { Settings, SettingsUpdate } from '@appregistrar/client/operator';
import { useState } from 'preact/hooks';
import { operator } from '../../operator.ts';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { ChoiceField, TextField } from '../../parts/form/fields.tsx';
import { Form, type FormValues } from '../../parts/form/form.tsx';
import { hrefOf } from '../../route.ts';
import { choicesOf, type ExistingChoice, effectsOf, settingTitles } from './setting-texts.ts';

interface SettingsFormProps {
  settings: Settings;
  /** Whether changes to approved apps await a decision. */
  hasUndecided: boolean;
  reload: () => void;
}

/** Changes the settings, once the user has confirmed the effects, and unless another client has changed them meanwhile. */
export function SettingsForm({ settings, hasUndecided, reload }: SettingsFormProps) {
  const [message, setMessage] = useState('');
  const [hasConflict, setConflict] = useState(false);
  const [chosen, setChosen] = useState<string>(settings.changesToApproved);
  const [question, setQuestion] = useState<Question>();
  const confirm = async (effects: string[]) => {
    const isConfirmed = await new Promise<boolean>((respond) => setQuestion({ effects, respond }));
    setQuestion(undefined);
    return isConfirmed;
  };
  const send = async (values: FormValues) => {
    setMessage('');
    setConflict(false);
    const update = updateOf(settings, values);
    const existing = (values.text('/existing') as ExistingChoice | '') || undefined;
    if (Object.keys(update).length === 0) return setMessage('No changes to save.');
    if (!(await confirm(effectsOf(update, existing)))) return;
    const isLate = await isConflict(operator.settings.update(update, { existing, ifMatch: settings.etag }));
    setConflict(isLate);
    if (!isLate) setMessage('Settings saved.');
    reload();
  };
  const isHolding = chosen === 'hold' && settings.changesToApproved === 'live' && hasUndecided;
  return (
    <>
      {hasConflict && <Conflict settings={settings} />}
      <Form label="Settings" submitLabel="Save" send={send} fieldOf={{ names_shared: '/uniqueNames' }}>
        <ChoiceField
          name="/uniqueNames"
          label={settingTitles.uniqueNames}
          type="radio"
          choices={listed(choicesOf.uniqueNames)}
          chosen={[`${settings.uniqueNames}`]}
        />
        <ChoiceField
          name="/changesToApproved"
          label={settingTitles.changesToApproved}
          type="radio"
          choices={listed(choicesOf.changesToApproved)}
          chosen={[settings.changesToApproved]}
          onChoose={setChosen}
        />
        {isHolding && <ExistingChanges />}
        <TextField
          name="/reviewTargetHours"
          label={settingTitles.reviewTargetHours}
          hint="The queue shows what has waited longer as late."
          type="number"
          min={1}
          required
          defaultValue={settings.reviewTargetHours}
        />
      </Form>
      <p role="status">{message}</p>
      {question && <Confirmation {...question} />}
    </>
  );
}

function ExistingChanges() {
  return (
    <ChoiceField
      name="/existing"
      label="Changes that await a decision now"
      hint={<a href={hrefOf(['apps'], { status: 'APPROVED', changed: 'yes' })}>Show these apps</a>}
      type="radio"
      choices={listed(choicesOf.existing)}
      required
    />
  );
}

/** The choices stay as they are: the user sees what the settings are by now, and decides again. */
function Conflict({ settings: { uniqueNames, changesToApproved, reviewTargetHours } }: { settings: Settings }) {
  return (
    <div class="warning" role="alert">
      <strong>Someone else has changed the settings. Yours are not saved.</strong>
      <p>The settings are now:</p>
      <ul>
        <li>{choicesOf.uniqueNames[`${uniqueNames}`]}</li>
        <li>{choicesOf.changesToApproved[changesToApproved]}</li>
        <li>Decide within {reviewTargetHours} hours.</li>
      </ul>
      <p>Your choices are still below. Save again to overwrite the current settings.</p>
    </div>
  );
}

interface Question {
  effects: string[];
  respond: (isConfirmed: boolean) => void;
}

function Confirmation({ effects, respond }: Question) {
  return (
    <Dialog title="Change the settings?" onClose={() => respond(false)}>
      <ul>
        {effects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
      <DialogActions>
        <button type="button" autofocus onClick={() => respond(false)}>
          Cancel
        </button>
        <button type="button" class="danger" onClick={() => respond(true)}>
          Change the settings
        </button>
      </DialogActions>
    </Dialog>
  );
}

/** Only what differs from the settings. */
function updateOf(settings: Settings, { text }: FormValues): SettingsUpdate {
  const uniqueNames = text('/uniqueNames') === 'true';
  const changesToApproved = text('/changesToApproved') as Settings['changesToApproved'];
  const reviewTargetHours = Number(text('/reviewTargetHours'));
  return {
    ...(reviewTargetHours !== settings.reviewTargetHours && { reviewTargetHours }),
    ...(uniqueNames !== settings.uniqueNames && { uniqueNames }),
    ...(changesToApproved !== settings.changesToApproved && { changesToApproved }),
  };
}

/** Whether a change was refused because another one came before it. */
async function isConflict(change: Promise<unknown>): Promise<boolean> {
  try {
    await change;
    return false;
  } catch (error) {
    if (AppRegistryError.is(error) && error.code === 'precondition_failed') return true;
    throw error;
  }
}

function listed(choices: Record<string, string>): { value: string; label: string }[] {
  return Object.entries(choices).map(([value, label]) => ({ value, label }));
}
