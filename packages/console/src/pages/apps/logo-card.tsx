import type { Logo } from '@appregistrar/client/operator';
import { operator } from '../../operator.ts';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { DateTime } from '../../parts/date-time.tsx';
import { DeveloperLink } from '../../parts/developer-name.tsx';
import { DialogForm } from '../../parts/form/dialog-form.tsx';
import { TextArea } from '../../parts/form/fields.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { useHasScope } from '../../scopes.ts';
import { useAction } from '../../use-action.ts';

const reasonCharactersMax = 2_000;

interface LogoProps {
  logo: Logo;
  /** Called with what to say after a change. */
  done: (message: string) => void;
}

/** One logo with its picture, its developer, and what can be done with it. */
export function LogoCard({ logo, done }: LogoProps) {
  const { id, developerId, blockedAt, blockedReason } = logo;
  return (
    <li class="logo-card">
      {blockedAt === undefined ? (
        <img class="logo" src={`/logos/${encodeURIComponent(id)}`} alt="" width={96} height={96} loading="lazy" />
      ) : (
        <div class="logo hidden">Hidden</div>
      )}
      <div>
        <DeveloperLink userId={developerId} />
        <code>{id}</code>
        {blockedAt !== undefined && (
          <p>
            <span class="badge rejected">Blocked</span> <DateTime at={blockedAt} />: <bdi>{blockedReason}</bdi>
          </p>
        )}
        <LogoSteps logo={logo} done={done} />
      </div>
    </li>
  );
}

function LogoSteps({ logo: { id, blockedAt }, done }: LogoProps) {
  const { isPending, error, run } = useAction();
  const [canBlock, canDelete] = [useHasScope('review'), useHasScope('admin')];
  const unblock = () =>
    run(async () => {
      await operator.logos.unblock(id);
      done('Logo unblocked.');
    });
  const remove = () =>
    run(async () => {
      await operator.logos.delete(id);
      done('Logo deleted.');
    });
  return (
    <>
      <div class="choices">
        {canBlock && blockedAt === undefined && <BlockLogo id={id} done={done} />}
        {canBlock && blockedAt !== undefined && (
          <button type="button" aria-label={`Unblock ${id}`} disabled={isPending} onClick={unblock}>
            Unblock
          </button>
        )}
        {canDelete && (
          <ConfirmedButton
            label="Delete"
            subject={id}
            confirmLabel="Delete permanently"
            disabled={isPending}
            onConfirm={remove}
          >
            <p>The image is deleted permanently. A logo that an app uses cannot be deleted: block it instead.</p>
          </ConfirmedButton>
        )}
      </div>
      {error && <RequestError error={error} />}
    </>
  );
}

function BlockLogo({ id, done }: { id: string; done: (message: string) => void }) {
  return (
    <DialogForm
      label="Block"
      subject={id}
      submitLabel="Block the logo"
      isDangerous
      send={async ({ text }) => {
        await operator.logos.block(id, { reason: text('/reason') });
        done('Logo blocked.');
      }}
    >
      <p>The image is hidden in every app that uses it, and no app can set it until you unblock it.</p>
      <TextArea name="/reason" label="Reason" required maxLength={reasonCharactersMax} />
    </DialogForm>
  );
}
