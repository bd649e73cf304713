import { useState } from 'preact/hooks';
import type { ProblemError } from '../../api/http-request.ts';
import { addLogo, type Logo, type SeenApp, setLogo } from '../../api/operations.ts';
import { AppLogo } from '../../parts/app-logo.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { useHasScope } from '../../scopes.ts';
import { asProblemError } from '../../use-request.ts';
import { bestText } from './contrast.ts';

const sizes = [32, 64, 128];
const mediaTypes = 'image/png,image/jpeg,image/webp,image/svg+xml';

/** Uploads an image, previews the resulting logo on the background colour of the app, and sets it as the logo. */
export function LogoUpload({ seen, onChange }: { seen: SeenApp; onChange: () => void }) {
  const [state, setState] = useState<{ logo?: Logo; error?: ProblemError; retry?: () => void; isPending?: boolean }>(
    {},
  );
  const [isOver, setOver] = useState(false);
  if (!useHasScope('portal')) return null;
  const { app } = seen;

  const upload = async (image: File | undefined) => {
    if (!image) return;
    setState({ isPending: true });
    try {
      setState({ logo: await addLogo(app.developerId, image) });
    } catch (failure) {
      const error = asProblemError(failure);
      // A retry does not help if the image itself was refused.
      const canRetry = (error.problem.status ?? 500) >= 500;
      setState({ error, ...(canRetry && { retry: () => void upload(image) }) });
    }
  };
  const assign = async ({ id }: Logo) => {
    setState((before) => ({ ...before, isPending: true }));
    try {
      await setLogo(seen, id);
      setState({});
    } catch (error) {
      setState((before) => ({ ...before, error: asProblemError(error), isPending: false }));
    }
    onChange();
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void upload(event.dataTransfer?.files[0]);
  };
  return (
    <section aria-labelledby="logo">
      <h2 id="logo">New logo</h2>
      <label
        class={isOver ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        Drop an image here, or choose one: PNG, JPEG, WebP or SVG, of at most 1 MiB
        <input
          type="file"
          accept={mediaTypes}
          disabled={state.isPending}
          onChange={({ currentTarget }) => {
            void upload(currentTarget.files?.[0]);
            // So that the same file can be chosen again after it has changed.
            currentTarget.value = '';
          }}
        />
      </label>
      <p role="status">{state.isPending && 'Processing the image…'}</p>
      {state.error && <RequestError error={state.error} {...(state.retry && { retry: state.retry })} />}
      {state.logo && (
        <>
          <LogoSizes logo={state.logo} app={app} />
          <p class="choices">
            <button type="button" class="primary" disabled={state.isPending} onClick={() => assign(state.logo as Logo)}>
              Use as the logo of the app
            </button>
            <code>{state.logo.id}</code>
            <CopyButton text={state.logo.id} name="Copy the id" />
          </p>
        </>
      )}
    </section>
  );
}

function LogoSizes({ logo, app: { name, listingInfo } }: { logo: Logo; app: SeenApp['app'] }) {
  const { backgroundColor } = listingInfo;
  return (
    <div class="sizes" style={{ backgroundColor, color: bestText(backgroundColor).color }}>
      {sizes.map((size) => (
        <figure key={size}>
          <AppLogo name={name} logoId={logo.id} size={size} />
          <figcaption>{size} px</figcaption>
        </figure>
      ))}
    </div>
  );
}
