import type { OperatorDeveloper, UnsuspendedDeveloperOrDryRun } from '@appregistrar/client/operator';
import { useState } from 'preact/hooks';
import { operator } from '../../operator.ts';
import { Affected } from '../../parts/affected.tsx';
import { ConfirmationField } from '../../parts/form/confirmation-field.tsx';
import { DialogForm } from '../../parts/form/dialog-form.tsx';
import { TextArea } from '../../parts/form/fields.tsx';
import { useHasScope } from '../../scopes.ts';

/** The address of an erased developer. */
const erasedEmail = 'erased@developer.invalid';
const reasonCharactersMax = 2_000;

interface StepProps {
  developer: OperatorDeveloper;
  /** Called with what to say about the step that was taken. */
  done: (message: string) => void;
}

/** What an administrator can do with a developer. Each step shows what it would affect before it is taken. */
export function DeveloperSteps({ developer, onChange }: { developer: OperatorDeveloper; onChange: () => void }) {
  const [message, setMessage] = useState('');
  const isAdmin = useHasScope('admin');
  if (!isAdmin) return null;
  const done = (text: string) => {
    setMessage(text);
    onChange();
  };
  const step = { developer, done };
  return (
    <div class="steps">
      <p role="status">{message}</p>
      {developer.suspendedAt === undefined ? <Suspend {...step} /> : <Unsuspend {...step} />}
      <RevokeTokens {...step} />
      {developer.email !== erasedEmail && <Erase {...step} />}
    </div>
  );
}

function Suspend({ developer: { id: userId }, done }: StepProps) {
  return (
    <DialogForm
      label="Suspend"
      subject="the developer"
      submitLabel="Suspend the developer"
      isDangerous
      send={async ({ text }) => {
        const { apps, installations } = await operator.developers.suspend(userId, { reason: text('/reason') });
        done(`Developer suspended, with ${counted(apps, 'app')} and ${counted(installations, 'installation')}.`);
      }}
    >
      <p>
        Until you end the suspension, their tokens are refused, their approved apps are revoked, all installations of
        their apps are disabled, and none of their apps can be submitted or approved.
      </p>
      <Affected
        dryRun={(signal) =>
          operator.developers.suspend(userId, { reason: 'What would be affected?' }, { dryRun: true, signal })
        }
      />
      <TextArea
        name="/reason"
        label="Reason"
        hint="Shared with the developer, and shown with their apps."
        required
        maxLength={reasonCharactersMax}
      />
    </DialogForm>
  );
}

function Unsuspend({ developer: { id: userId }, done }: StepProps) {
  return (
    <DialogForm
      label="End the suspension"
      submitLabel="End the suspension"
      send={async () => done(endOfSuspension(await operator.developers.unsuspend(userId)))}
    >
      <p>
        This undoes the effects of the suspension. Apps that have been decided on, deleted or transferred since then
        stay as they are.
      </p>
      <Affected dryRun={(signal) => operator.developers.unsuspend(userId, { dryRun: true, signal })} />
    </DialogForm>
  );
}

function RevokeTokens({ developer: { id: userId }, done }: StepProps) {
  return (
    <DialogForm
      label="Revoke all tokens"
      submitLabel="Revoke permanently"
      isDangerous
      send={async () => {
        const { tokensRevoked } = await operator.developers.revokeTokens(userId);
        done(`${counted(tokensRevoked, 'token')} revoked.`);
      }}
    >
      <p>All tokens of this developer stop working at once. You can create new ones.</p>
      <Affected dryRun={(signal) => operator.developers.revokeTokens(userId, { dryRun: true, signal })} />
    </DialogForm>
  );
}

function Erase({ developer: { id: userId, email }, done }: StepProps) {
  return (
    <DialogForm
      label="Erase"
      subject="the developer"
      submitLabel="Erase permanently"
      isDangerous
      send={async () => {
        await operator.developers.erase(userId);
        done('Personal data erased.');
      }}
    >
      <p>
        The names and the email address are deleted, and every token is revoked. The user id, the apps and the history
        stay. This cannot be undone.
      </p>
      <Affected dryRun={(signal) => operator.developers.erase(userId, { dryRun: true, signal })} />
      <ConfirmationField text={email} />
    </DialogForm>
  );
}

function endOfSuspension({ apps, installations, skippedApps }: UnsuspendedDeveloperOrDryRun): string {
  const restored = `Suspension ended, with ${counted(apps, 'app')} and ${counted(installations, 'installation')}.`;
  if (skippedApps === 0) return restored;
  return `${restored} ${counted(skippedApps, 'app')} stayed as ${skippedApps === 1 ? 'it was' : 'they were'}.`;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`;
}
