import type { ReasonTemplate, ReviewClaim } from '@appregistrar/client/operator';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { decisionCodes } from '../../../../server/src/features/apps/review/decision-codes.ts';
import { useHolder } from '../../holder.ts';
import { useEscape } from '../../use-escape.ts';
import { ClaimNote, isClaimedByAnother } from './claim-note.tsx';
import type { Draft } from './drafts.ts';
import { KeyCap } from './key-cap.tsx';
import { useReasonTemplates } from './reason-templates.ts';
import { fieldNames, type RevertTarget, type Step, type StepOptions } from './steps.ts';

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
      <h2>{step.confirm}</h2>
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
          <span key={confirm}>{confirm}</span> <KeyCap of="Ctrl ↵" />
        </button>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

/** The text fields of a decision. */
function Reason({ step, draft, writtenAbout, onDraft }: DecisionFormProps) {
  const codes = useId();
  const change = (changes: Partial<Draft>) => onDraft({ ...draft, ...changes });
  const isDecision = step.writes !== 'reason';
  const { marks } = draft;
  return (
    <>
      {writtenAbout !== undefined && (
        <p class="faint">This was written about revision {writtenAbout}. The app has changed since then.</p>
      )}
      {isDecision && <Reasons draft={draft} change={change} />}
      <label>
        {isDecision ? 'Message to the developer' : 'Reason (recorded with the change)'}
        <textarea
          rows={3}
          required={step.writes === 'message' && marks.length === 0}
          maxLength={charactersMax}
          dir="auto"
          value={draft.message}
          onInput={({ currentTarget }) => change({ message: currentTarget.value })}
        />
      </label>
      {marks.length > 0 && (
        <p key={marks.length} class="faint">
          Includes {marks.length === 1 ? '1 comment' : `${marks.length} comments`}: {fieldNames(marks)}.
        </p>
      )}
      {isDecision && (
        <details open={draft.code !== '' || draft.note !== ''}>
          <summary>Code, note for reviewers</summary>
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
        </details>
      )}
    </>
  );
}

interface ReasonsProps {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
}

/** The reasons that operators share. Each adds its text to the message, or removes it; the first nine have a digit. */
function Reasons({ draft, change }: ReasonsProps) {
  const { data: reasons = [] } = useReasonTemplates();
  const group = useRef<HTMLFieldSetElement>(null);
  const toggle = (reason: ReasonTemplate) => change(toggled(draft, reason));
  const latest = useRef(toggle);
  latest.current = toggle;
  // The digits work as soon as the form is open. Any other character is the beginning of the message.
  useLayoutEffect(() => {
    if (reasons.length > 0 && draft.message === '') group.current?.querySelector('button')?.focus();
  }, [reasons.length]);
  if (reasons.length === 0) return null;
  const onKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || key.length !== 1 || key === ' ') return;
    const reason = reasons[Number(key) - 1];
    if (reason && key !== '0') {
      event.preventDefault();
      latest.current(reason);
    } else {
      group.current?.closest('form')?.querySelector('textarea')?.focus();
    }
  };
  return (
    <fieldset ref={group} class="reasons" onKeyDown={onKey}>
      <legend class="visually-hidden">Reasons</legend>
      {reasons.map((reason, at) => (
        <button
          key={reason.id}
          type="button"
          class="small"
          aria-pressed={draft.message.includes(reason.message)}
          aria-keyshortcuts={at < 9 ? String(at + 1) : undefined}
          onClick={() => toggle(reason)}
        >
          {at < 9 && <KeyCap of={String(at + 1)} />} <span dir="auto">{reason.title}</span>
        </button>
      ))}
    </fieldset>
  );
}

/** A reason follows what was written before it. */
function toggled({ message, code }: Draft, reason: ReasonTemplate): Partial<Draft> {
  if (message.includes(reason.message)) {
    const rest = message
      .replace(reason.message, '')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim();
    return { message: rest, code: code === reason.code ? '' : code };
  }
  return {
    message: [message.trimEnd(), reason.message].filter(Boolean).join('\n\n').slice(0, charactersMax),
    code: reason.code ?? code,
  };
}

/** Also from within a text of several lines. */
function submitByKey(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  (event.currentTarget as HTMLFormElement).requestSubmit();
}
