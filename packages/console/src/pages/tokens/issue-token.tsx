import type { IssuedAccessToken, NewAccessToken } from 'app-registry-client/operator';
import { useState } from 'preact/hooks';
import { createOnce } from '../../create-once.ts';
import { operator } from '../../operator.ts';
import { RequestError } from '../../parts/request-error.tsx';
import { useAction } from '../../use-action.ts';

const dayMs = 86_400_000;
const permitted: Record<Draft['scopes'][number], string> = {
  read: 'view',
  portal: 'act for developers',
  review: 'review apps',
  install: 'manage installations, and view nothing else',
  admin: 'do everything',
};
const scopes = Object.entries(permitted).map(([name, permits]) => ({ name: name as keyof typeof permitted, permits }));

/** The fields of the form. The registry validates them. */
interface Draft {
  kind: NewAccessToken['kind'];
  name: string;
  developerId: string;
  scopes: NonNullable<NewAccessToken['scopes']>;
  days: string;
}

const empty: Draft = { kind: 'operator', name: '', developerId: '', scopes: [], days: '90' };

/** Issues a token for a person or a program. */
export function IssueToken({ onIssued }: { onIssued: (issued: IssuedAccessToken) => void }) {
  const [draft, setDraft] = useState(empty);
  const { isPending, error, run } = useAction();
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void run(async () => {
      const token = tokenOf(draft);
      onIssued(await createOnce(['token', token], (options) => operator.tokens.issue(token, options)));
      setDraft(empty);
    });
  };
  return (
    <details class="issue">
      <summary>Issue a token</summary>
      <form onSubmit={submit}>
        <label>
          Kind
          <select
            value={draft.kind}
            onChange={({ currentTarget }) => change({ kind: currentTarget.value as Draft['kind'] })}
          >
            <option value="operator">operator</option>
            <option value="platform">platform (reads any app)</option>
            <option value="developer">developer (updates their own apps)</option>
          </select>
        </label>
        <label>
          Name (to identify it)
          <input
            value={draft.name}
            maxLength={100}
            onInput={({ currentTarget }) => change({ name: currentTarget.value })}
          />
        </label>
        {draft.kind === 'developer' && (
          <label>
            User id of the developer
            <input
              value={draft.developerId}
              required
              onInput={({ currentTarget }) => change({ developerId: currentTarget.value })}
            />
          </label>
        )}
        {draft.kind === 'operator' && <Scopes chosen={draft.scopes} choose={(chosen) => change({ scopes: chosen })} />}
        <label>
          Days until it expires
          <input
            type="number"
            min={1}
            max={366}
            required
            value={draft.days}
            onInput={({ currentTarget }) => change({ days: currentTarget.value })}
          />
        </label>
        <div>
          <button type="submit" class="primary" disabled={isPending}>
            Issue
          </button>
        </div>
      </form>
      {error && <RequestError error={error} />}
    </details>
  );
}

function Scopes({ chosen, choose }: { chosen: Draft['scopes']; choose: (scopes: Draft['scopes']) => void }) {
  return (
    <fieldset>
      <legend>Scopes</legend>
      {scopes.map(({ name, permits }) => (
        <label class="choice" key={name}>
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={({ currentTarget }) =>
              choose(currentTarget.checked ? [...chosen, name] : chosen.filter((scope) => scope !== name))
            }
          />
          <span>
            {permits} (<code>{name}</code>)
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function tokenOf({ kind, name, developerId, scopes: chosen, days }: Draft): NewAccessToken {
  return {
    kind,
    lifeMs: Number(days) * dayMs,
    ...(name !== '' && { name }),
    ...(kind === 'developer' && { developerId: developerId.trim() }),
    ...(kind === 'operator' && chosen.length > 0 && { scopes: chosen }),
  };
}
