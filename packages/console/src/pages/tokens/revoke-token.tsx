import type { ListedAccessToken } from '@appregistrar/client/operator';
import { operator } from '../../operator.ts';
import { ConfirmedButton } from '../../parts/confirmed-button.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { useAction } from '../../use-action.ts';

/** Revokes a token that is still valid. */
export function RevokeToken({
  token: { id, name, status },
  onChange,
}: {
  token: ListedAccessToken;
  onChange: () => void;
}) {
  const { isPending, error, run } = useAction();
  if (status !== 'active') return null;
  const revoke = () =>
    run(async () => {
      await operator.tokens.revoke(id);
      onChange();
    });
  return (
    <>
      <ConfirmedButton
        label="Revoke"
        subject={name ?? id}
        confirmLabel="Revoke permanently"
        disabled={isPending}
        onConfirm={revoke}
      >
        <p>The token stops working from the next request on.</p>
      </ConfirmedButton>
      {error && <RequestError error={error} />}
    </>
  );
}
