import type { ReasonTemplate, ReviewClaim } from '@appregistrar/client/operator';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { decisionCodes } from '../../../../server/src/features/apps/review/decision-codes.ts';
import { labelOf } from '../../content.ts';
import { useHolder } from '../../holder.ts';
import { useEscape } from '../../use-escape.ts';
import { ClaimNote, isClaimedByAnother } from './claim-note.tsx';
import type { Draft } from './drafts.ts';
import { useReasonTemplates } from './reason-templates.ts';
import type { RevertTarget, Step, StepOptions } from './steps.ts';

const charactersMax = 2_000;

interface DecisionFormProps {
  step: Step;
  name: string;
  claim: ReviewClaim | undefined;
  /** The content to revert to, if that is the step. */
  targets: RevertTarget[];
  draft: Draft;
  /** The earlier revision that the draft was written about, if it was. */
  writtenAbout: number | undefined;
  onDraft: (draft: Draft) => void;
  isPending: boolean;
  send: (options: StepOptions) => void;
  cancel: () => void;
}

/** The form for the details of a decision, and its confirmation. */
export function DecisionForm(props: DecisionFormProps) {
  const { step, name, claim, targets, isPending, send, cancel } = props;
  const form = useRef<HTMLFormElement>(null);
  const [target, setTarget] = useState(0);
  const [disablesInstallations, setDisablesInstallations] = useState(false);
  const { holderId } = useHolder();
  useEscape(true, cancel);
  useLayoutEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    form.current?.querySelector<HTMLElement>('textarea, [type="submit"]')?.focus();
    return () => opener?.focus();
  }, []);
  const confirm = isClaimedByAnother(claim, holderId) ? `${step.confirm} anyway` : step.confirm;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const to = targets[target]?.to;
    send({ ...(to && { to }), ...(disablesInstallations && { disableInstallations: true }) });
  };
  return (
    <form
      ref={form}
      class="decision-form"
      aria-label={`${step.confirm}: ${name}`}
      onSubmit={submit}
      onKeyDown={submitByKey}
    >
      {isClaimedByAnother(claim, holderId) && (
        <p class="warning">
          <ClaimNote claim={claim} /> Make sure that they are not reviewing this app before you decide.
        </p>
      )}
      {targets.length > 1 && (
        <label>
          Revert to
          <select value={target} onChange={({ currentTarget }) => setTarget(Number(currentTarget.value))}>
            {targets.map((one, at) => (
              <option key={one.name} value={at}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
      )}
      {targets.length === 1 && <p key={targets[0]?.name}>Creates a new revision with {targets[0]?.name}.</p>}
      {step.writes && <Reason {...props} />}
      {step.disables && (
        <label class="choice">
          <input
            type="checkbox"
            checked={disablesInstallations}
            onChange={({ currentTarget }) => setDisablesInstallations(currentTarget.checked)}
          />
          Disable every installation until the app is approved again
        </label>
      )}
      <div class="choices">
        <button type="submit" class={step.key === 'a' ? 'primary' : 'danger'} disabled={isPending}>
          <span key={confirm}>{confirm}</span>
        </button>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
        <small class="faint">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> to submit
        </small>
      </div>
    </form>
  );
}

/** The text fields of a decision. */
function Reason({ step, draft, writtenAbout, onDraft }: DecisionFormProps) {
  const codes = useId();
  const change = (changes: Partial<Draft>) => onDraft({ ...draft, ...changes });
  const isDecision = step.writes !== 'reason';
  return (
    <>
      {writtenAbout !== undefined && (
        <p class="faint">This was written about revision {writtenAbout}. The app has changed since then.</p>
      )}
      {isDecision && <Templates insert={(template) => change(inserted(draft, template))} />}
      <label>
        {isDecision ? 'Reason (shared with the developer)' : 'Reason (recorded with the change)'}
        <textarea
          rows={3}
          required={step.writes === 'message'}
          maxLength={charactersMax}
          dir="auto"
          value={draft.message}
          onInput={({ currentTarget }) => change({ message: currentTarget.value })}
        />
      </label>
      {isDecision && (
        <>
          <div class="pair">
            <label>
              Code (machine-readable)
              <input
                list={codes}
                maxLength={64}
                value={draft.code}
                onInput={({ currentTarget }) => change({ code: currentTarget.value })}
              />
              <datalist id={codes}>
                {decisionCodes.map((code) => (
                  <option key={code} value={code} />
                ))}
              </datalist>
            </label>
            <label>
              Note (for reviewers only)
              <textarea
                rows={1}
                maxLength={charactersMax}
                dir="auto"
                value={draft.note}
                onInput={({ currentTarget }) => change({ note: currentTarget.value })}
              />
            </label>
          </div>
          {draft.marks.length > 0 && (
            <p class="faint">
              Includes your messages about:{' '}
              {draft.marks.map(({ pointer }) => labelOf(pointer.slice(1).replaceAll('/', '.'))).join(', ')}.
            </p>
          )}
        </>
      )}
    </>
  );
}

/** A choice of shared reasons, which can be edited once they are inserted. */
function Templates({ insert }: { insert: (template: ReasonTemplate) => void }) {
  const { data: templates } = useReasonTemplates();
  const [chosen, setChosen] = useState('');
  if (!templates || templates.length === 0) return null;
  const template = templates.find(({ id }) => id === chosen) ?? templates[0];
  // With a button: on some systems an arrow key alone chooses an option.
  return (
    <div class="templates">
      <label>
        Template
        <select value={template?.id} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
          {templates.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={() => template && insert(template)}>
        Insert
      </button>
    </div>
  );
}

/** A template follows what was written before it. */
function inserted({ message, code }: Draft, template: ReasonTemplate): Partial<Draft> {
  return {
    message: [message.trimEnd(), template.message].filter(Boolean).join('\n\n').slice(0, charactersMax),
    code: template.code ?? code,
  };
}

/** Also from within a text of several lines. */
function submitByKey(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  (event.currentTarget as HTMLFormElement).requestSubmit();
}
