import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useWindowTitle } from '../../brand.ts';
import { AppHistory } from '../../evidence/app-history.tsx';
import { DeveloperRecord } from '../../evidence/developer-record.tsx';
import { Evidence } from '../../evidence/evidence.tsx';
import { ReviewNotes } from '../../evidence/review-notes.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { useHasScope } from '../../scopes.ts';
import { useEscape } from '../../use-escape.ts';
import { AppHead, headingId } from './app-head.tsx';
import { useCommands } from './commands.ts';
import { ChosenStep, DecisionBar } from './decision-bar.tsx';
import { commentOnField, focusField } from './field-keys.ts';
import { KeyCap } from './key-cap.tsx';
import { useKeys } from './keys.ts';
import { KeysHelp } from './keys-help.tsx';
import { hrefOfReview, readFilter } from './queue-filter.ts';
import { QueuePane } from './queue-pane.tsx';
import { useAppNews } from './use-app-news.ts';
import { useClaim } from './use-claim.ts';
import { useDecision } from './use-decision.ts';
import { type DraftState, useDraft } from './use-draft.ts';
import { type OpenedApp, useOpenedApp } from './use-opened-app.ts';
import { usePlace } from './use-place.ts';
import { useQueue } from './use-queue.ts';
import { useSelection } from './use-selection.ts';

/** Reviews app after app: the queue, what there is to see of the app that is open, and what can be decided about it. */
export function ReviewPage({ id, query }: { id: string | undefined; query: URLSearchParams }) {
  const filter = useMemo(() => readFilter(query), [query.toString()]);
  const canReview = useHasScope('review');
  const queue = useQueue(filter);
  const { opened, error, show, showReviewers, reload } = useOpenedApp(id, queue);
  const written = useDraft(opened);
  const place = usePlace(id, filter, queue);
  const news = useAppNews(opened, show);
  const decision = useDecision({ opened, written, place, queue, reload, show });
  const claim = useClaim({ opened, reload, say: decision.say, onReviewers: showReviewers });
  /** The app beside which the context is opened, in a window that has no room for both. */
  const [contextOf, setContextOf] = useState<string>();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const selection = useSelection(queue.items ?? []);
  useCommands({ queue, decision, claim, place, openHelp: () => setHelpOpen(true) });
  useKeys({
    j: place.next,
    k: place.previous,
    a: () => (selection.items.length > 0 ? decision.approveTogether(selection) : decision.press('a')),
    r: () => decision.press('r'),
    v: () => decision.press('v'),
    z: decision.undo,
    n: () => focusField(1),
    p: () => focusField(-1),
    m: commentOnField,
    ...(canReview &&
      opened?.item && {
        x: () => selection.toggle(opened.app.id),
        'Shift+X': () => selection.toggle(opened.app.id, true),
      }),
    c: claim.run,
    '?': () => setHelpOpen(true),
  });
  useWindowTitle(opened ? `${opened.app.name} · Review` : 'Review');
  const hasContext = decision.choice !== undefined || (opened !== undefined && contextOf === opened.app.id);
  return (
    <div class={classNames('review-mode full', id !== undefined && 'opened', hasContext && 'with-context')}>
      <QueuePane queue={queue} filter={filter} appId={id} {...(canReview && { selection })} />
      <div class="review-app">
        {error && <RequestError error={error} retry={reload} />}
        {opened && (
          <OpenedEvidence
            key={opened.app.id}
            opened={opened}
            written={written}
            back={hrefOfReview(filter)}
            openContext={() => setContextOf(opened.app.id)}
          />
        )}
        {id === undefined && queue.items && queue.items.length > 0 && (
          <p class="empty start">
            <button type="button" class="primary" aria-keyshortcuts="J" onClick={place.next}>
              Review the first app <KeyCap of="J" />
            </button>
          </p>
        )}
        <DecisionBar
          opened={opened}
          queue={queue}
          place={place}
          decision={decision}
          news={news}
          written={written}
          claim={claim}
          selection={selection}
        />
      </div>
      {opened && (
        <div class="review-context" id={contextId}>
          <ChosenStep opened={opened} decision={decision} written={written} />
          <Context
            key={opened.app.id}
            opened={opened}
            close={hasContext && !decision.choice ? () => setContextOf(undefined) : undefined}
          />
        </div>
      )}
      {isHelpOpen && <KeysHelp close={() => setHelpOpen(false)} />}
    </div>
  );
}

interface OpenedEvidenceProps {
  opened: OpenedApp;
  written: DraftState;
  /** The address of the queue. */
  back: string;
  openContext: () => void;
}

/** The app that is open. Its name gets the focus, wherever that was before. */
function OpenedEvidence({ opened, written, back, openContext }: OpenedEvidenceProps) {
  const { app, item } = opened;
  const canReview = useHasScope('review');
  useLayoutEffect(() => document.getElementById(headingId)?.focus({ preventScroll: true }), []);
  return (
    <article class="review-evidence" aria-labelledby={headingId}>
      <p class="review-tools">
        <a class="back" href={back}>
          Queue
        </a>
        <button type="button" class="quiet" aria-controls={contextId} onClick={openContext}>
          Developer, history, notes
        </button>
      </p>
      <AppHead opened={opened} />
      <Evidence
        app={app}
        item={item}
        marks={written.draft.marks}
        {...(canReview && { onMark: (marks) => written.write({ ...written.draft, marks }) })}
      />
    </article>
  );
}

/** What there is to know besides the content. A window without room for it shows it in place of the queue. */
function Context({ opened: { app, item }, close }: { opened: OpenedApp; close: (() => void) | undefined }) {
  const closing = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (close) closing.current?.focus();
  }, [close === undefined]);
  useEscape(close !== undefined, () => close?.());
  return (
    <>
      {close && (
        <button ref={closing} type="button" class="quiet close-context" onClick={close}>
          Close
        </button>
      )}
      <DeveloperRecord key={app.developerId} userId={app.developerId} item={item} />
      <AppHistory app={app} />
      <ReviewNotes appId={app.id} />
    </>
  );
}

const contextId = 'review-context';

function classNames(...names: (string | false)[]): string {
  return names.filter(Boolean).join(' ');
}
