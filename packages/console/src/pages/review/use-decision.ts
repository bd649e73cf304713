import type { AppWithWarnings, OperatorApp, QueueItem, Revert } from '@appregistrar/client/operator';
import { useEffect, useRef, useState } from 'preact/hooks';
import { newKey } from '../../create-once.ts';
import { useHolder } from '../../holder.ts';
import { operator } from '../../operator.ts';
import { useHasScope } from '../../scopes.ts';
import { type ShownError, shownError } from '../../shown-error.ts';
import { isClaimedByAnother } from './claim-note.tsx';
import { type Draft, emptyDraft, isEmpty, removeDraft, writerName } from './drafts.ts';
import type { Key } from './keys.ts';
import { findRefusal, type Refusal } from './refusal.tsx';
import { canWait, possibleSteps, type Step, type StepName, type StepOptions, steps, whyImpossible } from './steps.ts';
import type { FailedDecision, UndoableStep, UnsentDecision, UnsentDecisions } from './unsent-decisions.ts';
import type { DraftState } from './use-draft.ts';
import { type OpenedApp, openedInQueue } from './use-opened-app.ts';
import type { Place } from './use-place.ts';
import type { Queue } from './use-queue.ts';
import { type Selection, whyAlone } from './use-selection.ts';
import { useUnsent } from './use-unsent.ts';

/** The apps of the decisions of this window, as they were on screen, by the keys of the decisions. */
const decided = new Map<string, OpenedApp>();

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
  /** An app to open. */
  appId?: string;
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
  /** The decisions that can still be undone, and those that have not arrived. */
  unsent: UnsentDecisions;
  /** Approves those of the selected apps that need no decision of their own. The others stay selected. */
  approveTogether: (selection: Selection) => void;
  /** Takes back the latest decision and opens its app again. */
  undo: () => void;
  open: (appId: string) => void;
  outcome: Outcome | undefined;
  say: (text: string) => void;
  refusal: Refusal | undefined;
  error: ShownError | undefined;
  isPending: boolean;
}

interface DecisionProps {
  opened: OpenedApp | undefined;
  written: DraftState;
  place: Place;
  queue: Queue;
  /** Reads the app again. */
  reload: () => void;
  show: (app: AppWithWarnings) => void;
}

export function useDecision({ opened, written, place, queue, reload, show }: DecisionProps): Decision {
  const holder = useHolder();
  const canReview = useHasScope('review');
  const [choice, setChoice] = useState<Choice>();
  const [outcome, setOutcome] = useState<Outcome>();
  const [failure, setFailure] = useState<{ appId?: string; refusal?: Refusal; error?: ShownError }>({});
  const [isPending, setPending] = useState(false);
  const isRunning = useRef(false);
  const id = opened?.app.id;

  const refuse = (refusal: Refusal, done: OpenedApp) => {
    setFailure({ appId: done.app.id, refusal });
    if (done.item && refusal.what !== 'changed') queue.remove(done.item);
    if (refusal.app && done.app.id === id) show(refusal.app);
  };
  const bringBack = (decision: UnsentDecision) => {
    written.restore(decision);
    const item = decided.get(decision.key)?.item;
    if (item) queue.restore(item);
  };
  /** What has changed since is shown again, unless the reviewer is writing about another app. */
  const recover = async (failed: FailedDecision) => {
    const { decision, error } = failed;
    const shown = decided.get(decision.key);
    const refusal = shown && (await findRefusal(error, shown).catch(() => undefined));
    if (!refusal) return;
    unsent.discard(failed);
    bringBack(decision);
    refuse(refusal, shown);
    setOutcome({ text: `Not ${nameOf(decision.step)}`, appName: decision.appName, appId: decision.appId });
    if (document.activeElement?.matches('textarea, input') !== true) place.open(decision.appId);
  };
  const unsent = useUnsent((failed) => void recover(failed));
  const isWaiting = unsent.waiting.some(({ appId }) => appId === id);
  const possible = opened && canReview && !isWaiting ? possibleSteps(opened) : [];
  const canTake = ({ step, to }: Choice) => possible.includes(step) || (to !== undefined && canReview);
  useEffect(() => setFailure((before) => (before.appId === id ? before : {})), [id]);

  /** Others see meanwhile who is at the app. A decision ends that. */
  const unsentOf = (done: OpenedApp, step: UndoableStep, draft: Draft): UnsentDecision => {
    const { id: appId, name: appName, etag, revision } = done.app;
    const key = newKey();
    decided.set(key, done);
    operator.apps.claim(appId, { kind: 'presence' }).catch(() => {});
    return { key, step, appId, appName, etag, revision, draft, madeAt: Date.now(), writer: writerName(holder) };
  };
  const wait = (done: OpenedApp, step: UndoableStep) => {
    unsent.make([unsentOf(done, step, written.draft)]);
    written.write(emptyDraft);
    setOutcome(undefined);
    place.leave(done);
  };
  const approveTogether = ({ items, toggle }: Selection) => {
    const approved = items.filter((item) => whyAlone(item) === undefined);
    if (approved.length === 0 || isRunning.current) return;
    unsent.make(approved.map((item) => unsentOf(openedInQueue(item), 'approve', emptyDraft)));
    setOutcome(undefined);
    for (const item of approved) {
      toggle(item.app.id);
      queue.remove(item);
    }
    if (opened && approved.some(({ app }) => app.id === id)) place.leave(opened);
  };
  const send = async (done: OpenedApp, name: StepName, options: StepOptions) => {
    const after = await stepOf(name).send?.(done.app, written.draft, options);
    removeDraft(done.app.id);
    written.write(emptyDraft);
    setOutcome(outcomeOf(done, name, options.to));
    if (done.item && after && leavesQueue(name, done.item, after)) place.leave(done);
    else reload();
  };
  const take = async (name: StepName, options: StepOptions = {}) => {
    if (!opened || isRunning.current) return;
    isRunning.current = true;
    setPending(true);
    setFailure({});
    try {
      if (canWait(name)) wait(opened, name);
      else await send(opened, name, options);
      setChoice(undefined);
    } catch (error) {
      const refusal = await findRefusal(error, opened).catch(() => undefined);
      if (refusal) refuse(refusal, opened);
      else setFailure({ appId: opened.app.id, error: shownError(error) });
      if (refusal && refusal.what !== 'changed') setChoice(undefined);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    isRunning.current = false;
    setPending(false);
  };
  const choose = (step: StepName) => {
    if (!opened || isRunning.current) return;
    const needsForm = step === 'approve' ? !isEmpty(written.draft) : stepOf(step).writes !== undefined;
    setOutcome(undefined);
    if (needsForm || isClaimedByAnother(opened.claim, holder.holderId)) setChoice({ appId: opened.app.id, step });
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
      else if (isWaiting) setOutcome(undefined);
      else setOutcome({ text: whyImpossible(key, opened, canReview) });
    },
    cancel: () => setChoice(undefined),
    take,
    correct: (correction) => {
      setOutcome(undefined);
      setChoice(correction);
      place.open(correction.appId);
    },
    unsent,
    approveTogether,
    undo: () => {
      const undone = unsent.undo();
      for (const decision of undone) bringBack(decision);
      if (undone[0]) place.open(undone[0].appId);
      else setOutcome({ text: 'Nothing to undo.' });
    },
    open: place.open,
    outcome,
    say: (text) => setOutcome({ text }),
    refusal: failure.appId === id ? failure.refusal : undefined,
    error: failure.appId === id ? failure.error : undefined,
    isPending,
  };
}

function stepOf(name: StepName): Step {
  return steps[name];
}

/** As in "Not approved". */
function nameOf(step: StepName): string {
  return stepOf(step).done.toLowerCase();
}

/** Whether nothing is left to decide on after a revert: a transfer may be. */
function leavesQueue(name: StepName, { kind }: QueueItem, { changedSinceApproval }: OperatorApp): boolean {
  return name !== 'revert' || (!changedSinceApproval && kind !== 'transfer');
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
