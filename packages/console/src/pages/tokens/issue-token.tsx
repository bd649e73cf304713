import { useState } from 'preact/hooks';
import { type IssuedAccessToken, issueToken, type NewAccessToken } from '../../api/operations.ts';
import { Refused } from '../../parts/refused.tsx';
import { useAction } from '../../use-action.ts';

const dayMs = 86_400_000;
const scopes = [
  { name: 'read', may: 'see' },
  { name: 'portal', may: 'act for developers' },
  { name: 'review', may: 'decide about apps' },
  { name: 'admin', may: 'do everything' },
] as const;

/** What the form holds. The registry judges it. */
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
  const { isAsking, refusal, run } = useAction();
  const change = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void run(async () => {
      onIssued(await issueToken(tokenOf(draft)));
      setDraft(empty);
    });
  };
  return (
    <details class="issue">
      <summary>Issue a token</summary>
      <form onSubmit={submit}>
        <label>
          For
          <select
            value={draft.kind}
            onChange={({ currentTarget }) => change({ kind: currentTarget.value as Draft['kind'] })}
          >
            <option value="operator">an operator</option>
            <option value="platform">the platform, which gets any app</option>
            <option value="developer">a developer, who updates their apps</option>
          </select>
        </label>
        <label>
          Name, so that you know it again
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
          <button type="submit" class="first" disabled={isAsking}>
            Issue
          </button>
        </div>
      </form>
      {refusal && <Refused refusal={refusal} />}
    </details>
  );
}

function Scopes({ chosen, choose }: { chosen: Draft['scopes']; choose: (scopes: Draft['scopes']) => void }) {
  return (
    <fieldset>
      <legend>May</legend>
      {scopes.map(({ name, may }) => (
        <label class="choice" key={name}>
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={({ currentTarget }) =>
              choose(currentTarget.checked ? [...chosen, name] : chosen.filter((scope) => scope !== name))
            }
          />
          <span>
            {may} (<code>{name}</code>)
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
