import { RequestError } from '../../parts/request-error.tsx';
import { DecisionForm } from './decision-form.tsx';
import { isEmpty } from './drafts.ts';
import { KeyCap } from './key-cap.tsx';
import { countOf } from './queue-pane.tsx';
import { type Refusal, RefusalNote } from './refusal.tsx';
import { revertTargets, type Step, steps } from './steps.ts';
import type { AppNews } from './use-app-news.ts';
import type { useClaim } from './use-claim.ts';
import type { Decision, Outcome } from './use-decision.ts';
import type { DraftState } from './use-draft.ts';
import type { OpenedApp } from './use-opened-app.ts';
import type { Place } from './use-place.ts';
import type { Queue } from './use-queue.ts';

interface DecisionBarProps {
  opened: OpenedApp | undefined;
  queue: Queue;
  place: Place;
  decision: Decision;
  news: AppNews;
  written: DraftState;
  claim: ReturnType<typeof useClaim>;
}

/** What can be decided about the app that is open. It stays in view. */
export function DecisionBar({ opened, queue, place, decision, news, written, claim }: DecisionBarProps) {
  const { outcome, refusal, error, correct } = decision;
  const next = queue.items?.some(({ app }) => app.id !== opened?.app.id) ? place.next : undefined;
  return (
    <section class="decision-bar" aria-label="Decision">
      <p class="outcome" role="status">
        {outcome && <OutcomeText key={`${outcome.text} ${outcome.appName}`} outcome={outcome} />}
        {outcome?.correction && (
          <button type="button" class="small" onClick={() => outcome.correction && correct(outcome.correction)}>
            {outcome.correction.name}
          </button>
        )}
      </p>
      <div role="alert">{refusal && <Note refusal={refusal} written={written} next={next} />}</div>
      <div role="status">
        {news.news && !refusal && <Note refusal={news.news} showNow={news.showNow} written={written} next={next} />}
      </div>
      {error && <RequestError error={error} />}
      {opened && (
        <div class="decision-steps">
          <Neighbours queue={queue} place={place} />
          <StepButtons opened={opened} decision={decision} claim={claim} />
        </div>
      )}
    </section>
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

function OutcomeText({ outcome: { text, appName } }: { outcome: Outcome }) {
  return (
    <span>
      {text}{' '}
      {appName !== undefined && (
        <>
          <strong dir="auto" translate={false}>
            {appName}
          </strong>
          .{' '}
        </>
      )}
    </span>
  );
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
  decision,
  claim,
}: Pick<DecisionBarProps, 'decision' | 'claim'> & { opened: OpenedApp }) {
  const { possible, choice, choose, isPending } = decision;
  return (
    <>
      {claim.name && (
        <button type="button" aria-keyshortcuts="C" disabled={claim.isPending} onClick={claim.run}>
          <span key={claim.name}>{claim.name}</span> <KeyCap of="C" />
        </button>
      )}
      {possible.toReversed().map((name) => {
        const step: Step = steps[name];
        return (
          <button
            key={`${opened.app.id} ${name}`}
            type="button"
            class={name === 'approve' ? 'primary' : undefined}
            disabled={isPending}
            aria-keyshortcuts={step.key?.toUpperCase()}
            aria-expanded={choice ? choice.step === name : undefined}
            onClick={() => choose(name)}
          >
            {step.name} {step.key && <KeyCap of={step.key.toUpperCase()} />}
          </button>
        );
      })}
    </>
  );
}
