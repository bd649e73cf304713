import type { ReviewNote } from '@appregistrar/client/operator';
import { useContext, useRef, useState } from 'preact/hooks';
import { Actor } from '../events/actor.tsx';
import { useHolder } from '../holder.ts';
import { shownAppMs } from '../live/use-reread.ts';
import { operator } from '../operator.ts';
import { ConfirmedButton } from '../parts/confirmed-button.tsx';
import { DateTime } from '../parts/date-time.tsx';
import { TextArea } from '../parts/form/fields.tsx';
import { Form } from '../parts/form/form.tsx';
import { RequestError } from '../parts/request-error.tsx';
import { ScopesContext, useHasScope } from '../scopes.ts';
import { useAction } from '../use-action.ts';
import { useRequest } from '../use-request.ts';

const notesMax = 100;
const noteCharactersMax = 2_000;

/** Notes among reviewers about an app. A portal may show everything it reads, so it gets none. */
export function ReviewNotes({ appId }: { appId: string }) {
  const isPortal = useContext(ScopesContext).includes('portal');
  if (!isPortal) return <Notes appId={appId} />;
  return (
    <section class="notes" aria-labelledby="notes">
      <h2 id="notes">Notes</h2>
      <p class="faint">A token with the scope portal cannot see notes and who is reviewing: a portal may show them.</p>
    </section>
  );
}

function Notes({ appId }: { appId: string }) {
  const canWrite = useHasScope('review');
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, error, isPending, reload } = useRequest(
    (signal) => operator.apps.listNotes(appId, { limit: notesMax }, { signal }).page(),
    [appId],
    { rereadMs: shownAppMs },
  );
  const [added, setAdded] = useState(0);
  const showAnew = () => {
    heading.current?.focus();
    reload();
  };
  const onAdded = () => {
    // The next note begins empty.
    setAdded(added + 1);
    showAnew();
  };
  return (
    <section class="notes" aria-labelledby="notes">
      <h2 id="notes" ref={heading} tabIndex={-1}>
        Notes
      </h2>
      {error && <RequestError error={error} retry={reload} />}
      <div aria-busy={isPending}>
        <p class="faint">{data?.items.length === 0 && 'None.'} Developers never see notes.</p>
        <ul>
          {data?.items.map((note) => (
            <Note key={note.id} appId={appId} note={note} onDeleted={showAnew} />
          ))}
        </ul>
        {data?.nextCursor && <p class="faint">Only the latest {notesMax} notes are shown.</p>}
      </div>
      {canWrite && <NewNote key={added} appId={appId} onAdded={onAdded} />}
    </section>
  );
}

function Note({ appId, note, onDeleted }: { appId: string; note: ReviewNote; onDeleted: () => void }) {
  const { id, text, actor, actorName, createdAt } = note;
  const { isPending, error, run } = useAction();
  const isAdmin = useHasScope('admin');
  const isOwn = useHolder().holderId === actor;
  const canDelete = useHasScope('review') && (isOwn || isAdmin);
  const remove = () =>
    run(async () => {
      await operator.apps.deleteNote(appId, id);
      onDeleted();
    });
  return (
    <li>
      <p>
        <Actor actor={actor} name={actorName} />{' '}
        <span class="faint">
          <DateTime at={createdAt} />
        </span>
      </p>
      <p class="value" dir="auto">
        {text}
      </p>
      {canDelete && (
        <ConfirmedButton
          label="Delete"
          subject={isOwn ? 'your note' : `the note of ${actorName ?? actor}`}
          confirmLabel="Delete the note"
          disabled={isPending}
          onConfirm={remove}
        />
      )}
      {error && <RequestError error={error} />}
    </li>
  );
}

function NewNote({ appId, onAdded }: { appId: string; onAdded: () => void }) {
  const add = async (text: string) => {
    await operator.apps.createNote(appId, { text });
    onAdded();
  };
  return (
    <Form label="Add a note" submitLabel="Add note" send={({ text }) => add(text('/text'))}>
      <TextArea name="/text" label="New note" required rows={1} maxLength={noteCharactersMax} />
    </Form>
  );
}
