import { RequestError } from '../../parts/request-error.tsx';
import { shownError } from '../../shown-error.ts';
import { DecisionForm } from './decision-form.tsx';
import { isEmpty } from './drafts.ts';
import { KeyCap } from './key-cap.tsx';
import { countOf } from './queue-pane.tsx';
import { type Refusal, RefusalNote } from './refusal.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { canWait, revertTargets, type Step, type StepName, steps } from './steps.ts';
import type { AppNews } from './use-app-news.ts';
import type { useClaim } from './use-claim.ts';
import type { Decision, Outcome } from './use-decision.ts';
import type { DraftState } from './use-draft.ts';
import type { OpenedApp } from './use-opened-app.ts';
import type { Place } from './use-place.ts';
import type { Queue } from './use-queue.ts';
import type { Selection } from './use-selection.ts';

interface DecisionBarProps {
  opened: OpenedApp | undefined;
  queue: Queue;
  place: Place;
  decision: Decision;
  news: AppNews;
  written: DraftState;
  claim: ReturnType<typeof useClaim>;
  selection: Selection;
}

/** What can be decided about the app that is open, in one row that stays in view; above it, what has just happened. */
export function DecisionBar({ opened, queue, place, decision, news, written, claim, selection }: DecisionBarProps) {
  const { refusal, error } = decision;
  const next = queue.items?.some(({ app }) => app.id !== opened?.app.id) ? place.next : undefined;
  return (
    <section class="decision-bar" aria-label="Decision">
      <div class="decision-news">
        <p class="toast" role="status">
          <Toast decision={decision} />
        </p>
        <NotSent decision={decision} />
        <div role="alert">{refusal && <Note refusal={refusal} written={written} next={next} />}</div>
        <div role="status">
          {news.news && !refusal && <Note refusal={news.news} showNow={news.showNow} written={written} next={next} />}
        </div>
        {error && <RequestError error={error} />}
      </div>
      {selection.items.length > 0 && <SelectionBar selection={selection} decision={decision} />}
      {opened && selection.items.length === 0 && (
        <div class="decision-steps">
          <Neighbours queue={queue} place={place} />
          <StepButtons opened={opened} decision={decision} claim={claim} />
        </div>
      )}
    </section>
  );
}

/** The latest decision, as long as it can be undone, or what else has just happened. */
function Toast({ decision: { unsent, undo, outcome, correct, open } }: Pick<DecisionBarProps, 'decision'>) {
  const [first, ...others] = unsent.waiting;
  if (first) {
    const text = steps[first.step].done;
    return (
      <span key={first.key} class="running">
        {others.length === 0 ? <HappenedTo text={text} appName={first.appName} /> : `${text} ${others.length + 1} apps`}
        <button type="button" class="small" aria-keyshortcuts="Z" onClick={undo}>
          Undo <KeyCap of="Z" />
        </button>
      </span>
    );
  }
  if (!outcome) return null;
  const { text, appName, correction, appId } = outcome;
  return (
    <span key={`${text} ${appName}`}>
      <HappenedTo text={text} appName={appName} />
      {correction && (
        <button type="button" class="small" onClick={() => correct(correction)}>
          {correction.name}
        </button>
      )}
      {appId && (
        <button type="button" class="small" onClick={() => open(appId)}>
          Open
        </button>
      )}
    </span>
  );
}

function HappenedTo({ text, appName }: Pick<Outcome, 'text'> & { appName: string | undefined }) {
  return (
    <span>
      {text}{' '}
      {appName !== undefined && (
        <strong dir="auto" translate={false}>
          {appName}
        </strong>
      )}
    </span>
  );
}

/** Decisions that did not arrive, such as those that a crash interrupted. */
function NotSent({ decision: { unsent } }: Pick<DecisionBarProps, 'decision'>) {
  if (unsent.failed.length === 0) return null;
  return (
    <ul class="warning" aria-label="Not sent">
      {unsent.failed.map((failed) => {
        const { key, step, appName } = failed.decision;
        return (
          <li key={key}>
            Not sent: {steps[step].name.toLowerCase()} <bdi translate={false}>{appName}</bdi>.{' '}
            {failed.error !== undefined && `${shownError(failed.error).detail} `}
            <button type="button" class="small" onClick={() => unsent.retry(failed)}>
              Send
            </button>{' '}
            <button type="button" class="small" onClick={() => unsent.discard(failed)}>
              Discard
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** The form of the step that is chosen. It is beside the evidence. */
export function ChosenStep({ opened, decision, written }: Pick<DecisionBarProps, 'opened' | 'decision' | 'written'>) {
  const { choice } = decision;
  if (!opened || !choice) return null;
  return (
    <DecisionForm
      key={`${choice.appId} ${choice.step}`}
      step={steps[choice.step]}
      name={opened.app.name}
      claim={opened.claim}
      targets={targetsOf(opened, choice)}
      draft={written.draft}
      writtenAbout={written.writtenAbout}
      onDraft={written.write}
      isPending={decision.isPending}
      send={(options) => void decision.take(choice.step, options)}
      cancel={decision.cancel}
    />
  );
}

interface NoteProps extends Pick<DecisionBarProps, 'written'> {
  refusal: Refusal;
  showNow?: AppNews['showNow'];
  /** Undefined where there is no other app. */
  next: (() => void) | undefined;
}

/** What someone else did to the app, and where to go on. */
function Note({ written, next, ...of }: NoteProps) {
  return (
    <RefusalNote {...of} key={keyOf(of)} keepsText={!isEmpty(written.draft)}>
      {next && of.refusal.what !== 'changed' && (
        <button type="button" class="small" onClick={next}>
          Go to the next app
        </button>
      )}
    </RefusalNote>
  );
}

/** A note is drawn anew for other news: a page translation replaces text nodes. */
function keyOf({ refusal: { what, app, decision }, showNow }: Pick<NoteProps, 'refusal' | 'showNow'>): string {
  return `${what} ${app?.etag} ${decision?.decidedAt} ${showNow === undefined}`;
}

function targetsOf(opened: OpenedApp, { step, to }: NonNullable<Decision['choice']>) {
  if (step !== 'revert') return [];
  return to ? [{ name: `revision ${to.toRevision}`, to }] : revertTargets(opened);
}

function Neighbours({ queue, place: { position, previous, next } }: { queue: Queue; place: Place }) {
  return (
    <div class="neighbours">
      <button type="button" aria-keyshortcuts="K" disabled={position === 1} onClick={previous}>
        <span aria-hidden="true">↑</span>
        <span class="visually-hidden">Previous app</span>
      </button>
      <button
        type="button"
        aria-keyshortcuts="J"
        disabled={position !== undefined && position === queue.items?.length && !queue.hasMore}
        onClick={next}
      >
        <span aria-hidden="true">↓</span>
        <span class="visually-hidden">Next app</span>
      </button>
      <span key={position} class="position">
        {position === undefined ? 'Not in this list' : `${position} of ${countOf(queue)}`}
      </span>
    </div>
  );
}

function StepButtons({
  opened,
  decision: { possible, choice, choose, isPending, unsent },
  claim,
}: Pick<DecisionBarProps, 'decision' | 'claim'> & { opened: OpenedApp }) {
  const waiting = unsent.waiting.length + unsent.sending + unsent.failed.length;
  const button = (name: StepName) => {
    const step: Step = steps[name];
    return (
      <button
        key={`${opened.app.id} ${name}`}
        type="button"
        class={name === 'approve' ? 'primary' : undefined}
        disabled={isPending}
        aria-keyshortcuts={step.key?.toUpperCase()}
        aria-expanded={choice ? choice.step === name : undefined}
        popovertarget={isRare(name) ? moreId : undefined}
        onClick={() => choose(name)}
      >
        {step.name} {step.key && <KeyCap of={step.key.toUpperCase()} />}
      </button>
    );
  };
  const rare = possible.filter(isRare);
  return (
    <>
      {waiting > 0 && (
        <span key={waiting} class="position">
          {waiting} not sent yet
        </span>
      )}
      {(rare.length > 0 || claim.name) && (
        <>
          <button type="button" class="quiet" popovertarget={moreId}>
            More
          </button>
          <div id={moreId} class="popover" popover="auto" role="dialog" aria-label="More">
            {rare.map(button)}
            {claim.name && (
              <button
                type="button"
                aria-keyshortcuts="C"
                disabled={claim.isPending}
                popovertarget={moreId}
                onClick={claim.run}
              >
                <span key={claim.name}>{claim.name}</span> <KeyCap of="C" />
              </button>
            )}
          </div>
        </>
      )}
      {possible
        .filter((name) => !isRare(name))
        .toReversed()
        .map(button)}
    </>
  );
}

const moreId = 'more-steps';

function isRare(name: StepName): boolean {
  return !canWait(name);
}
