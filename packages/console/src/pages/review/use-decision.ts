import type { OperatorApp, QueueItem, Revert } from '@appregistrar/client/operator';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useHolder } from '../../holder.ts';
import { useHasScope } from '../../scopes.ts';
import { type ShownError, shownError } from '../../shown-error.ts';
import { isClaimedByAnother } from './claim-note.tsx';
import { emptyDraft, isEmpty, removeDraft } from './drafts.ts';
import type { Key } from './keys.ts';
import { findRefusal, type Refusal } from './refusal.tsx';
import { possibleSteps, type Step, type StepName, type StepOptions, steps, whyImpossible } from './steps.ts';
import type { DraftState } from './use-draft.ts';
import type { OpenedApp } from './use-opened-app.ts';

/** How long the next app is shown before it can be decided on: a key that is pressed twice decides on one app. */
const pauseMs = 300;

/** A step that corrects another one. */
interface Correction {
  appId: string;
  name: string;
  step: StepName;
  to?: Revert | undefined;
}

/** What happened, for people, and how to correct it. */
export interface Outcome {
  text: string;
  /** The name of the app that it happened to. */
  appName?: string;
  correction?: Correction | undefined;
}

/** A step whose form is open. */
interface Choice {
  appId: string;
  step: StepName;
  to?: Revert | undefined;
}

/** What is being decided about the app that is open. */
export interface Decision {
  /** The steps that can be taken now. */
  possible: StepName[];
  choice: Choice | undefined;
  choose: (step: StepName) => void;
  /** Chooses the step of a key, or says why there is none. */
  press: (key: Key) => void;
  cancel: () => void;
  take: (step: StepName, options?: StepOptions) => Promise<void>;
  correct: (correction: Correction) => void;
  outcome: Outcome | undefined;
  say: (text: string) => void;
  refusal: Refusal | undefined;
  error: ShownError | undefined;
  isPending: boolean;
}

interface DecisionProps {
  opened: OpenedApp | undefined;
  written: DraftState;
  /** Called when nothing is left to decide. */
  leave: (opened: OpenedApp) => void;
  /** Called when there is, or when the app changed otherwise. */
  reload: () => void;
  /** Called with why a step was refused. */
  onRefusal: (refusal: Refusal) => void;
  open: (appId: string) => void;
}

export function useDecision({ opened, written, leave, reload, onRefusal, open }: DecisionProps): Decision {
  const { holderId } = useHolder();
  const hasScope = { portal: useHasScope('portal'), review: useHasScope('review') };
  const [choice, setChoice] = useState<Choice>();
  const [outcome, setOutcome] = useState<Outcome>();
  const [failure, setFailure] = useState<{ refusal?: Refusal; error?: ShownError }>({});
  const [isPending, setPending] = useState(false);
  const isRunning = useRef(false);
  const id = opened?.app.id;
  const possible = opened ? possibleSteps(opened, hasScope) : [];
  const canTake = ({ step, to }: Choice) => possible.includes(step) || (to !== undefined && hasScope.review);
  useEffect(() => setFailure({}), [id]);

  const succeed = (done: OpenedApp, name: StepName, { after, to }: { after: object; to?: Revert | undefined }) => {
    removeDraft(done.app.id);
    written.write(emptyDraft);
    setChoice(undefined);
    setOutcome(outcomeOf(done, name, to));
    if (done.item && leavesQueue(name, done.item, after as OperatorApp)) leave(done);
    else reload();
  };
  const fail = async (done: OpenedApp, error: unknown) => {
    const refusal = await findRefusal(error, done).catch(() => undefined);
    setFailure(refusal ? { refusal } : { error: shownError(error) });
    if (!refusal) return;
    if (refusal.what !== 'changed') setChoice(undefined);
    onRefusal(refusal);
  };
  const take = async (name: StepName, options: StepOptions = {}) => {
    if (!opened || isRunning.current) return;
    isRunning.current = true;
    setPending(true);
    setFailure({});
    try {
      const after = await steps[name].send(opened.app, written.draft, options);
      succeed(opened, name, { after, to: options.to });
    } catch (error) {
      await fail(opened, error);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    isRunning.current = false;
    setPending(false);
  };
  const choose = (step: StepName) => {
    if (!opened || isRunning.current) return;
    const needsForm = step === 'approve' ? !isEmpty(written.draft) : stepOf(step).writes !== undefined;
    setOutcome(undefined);
    if (needsForm || isClaimedByAnother(opened.claim, holderId)) setChoice({ appId: opened.app.id, step });
    else void take(step);
  };
  return {
    possible,
    choice: choice?.appId === id && choice && canTake(choice) ? choice : undefined,
    choose,
    press: (key) => {
      if (!opened) return;
      const step = possible.find((name) => stepOf(name).key === key);
      if (step) choose(step);
      else setOutcome({ text: whyImpossible(key, opened, hasScope.review) });
    },
    cancel: () => setChoice(undefined),
    take,
    correct: (correction) => {
      setOutcome(undefined);
      setChoice(correction);
      open(correction.appId);
    },
    outcome,
    say: (text) => setOutcome({ text }),
    refusal: failure.refusal,
    error: failure.error,
    isPending,
  };
}

function stepOf(name: StepName): Step {
  return steps[name];
}

/** Whether nothing is left to decide on: an approval may leave later revisions, and a revert a transfer. */
function leavesQueue(name: StepName, { kind }: QueueItem, { changedSinceApproval }: OperatorApp): boolean {
  if (name === 'approve') return !changedSinceApproval;
  if (name === 'revert') return !changedSinceApproval && kind !== 'transfer';
  return name !== 'submit';
}

function outcomeOf({ app }: OpenedApp, name: StepName, to: Revert | undefined): Outcome {
  const { done, correction } = stepOf(name);
  const isBroughtBack = name === 'revert' && to?.toApproved !== true;
  return {
    text: isBroughtBack ? 'Reverted the content of' : done,
    appName: app.name,
    ...(correction && {
      correction: {
        ...correction,
        step: correction.step as StepName,
        appId: app.id,
        ...(name === 'revert' && { to: { toRevision: app.revision } }),
      },
    }),
  };
}
