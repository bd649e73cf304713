import { AppRegistryError } from '@appregistrar/client';
import type { Logo, OperatorApp } from '@appregistrar/client/operator';
import { useState } from 'preact/hooks';
import { createOnce } from '../../create-once.ts';
import { bestText } from '../../evidence/contrast.ts';
import { operator } from '../../operator.ts';
import { AppLogo } from '../../parts/app-logo.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { RequestError } from '../../parts/request-error.tsx';
import { useHasScope } from '../../scopes.ts';
import { type ShownError, shownError } from '../../shown-error.ts';

const sizes = [32, 64, 128];
const mediaTypes = 'image/png,image/jpeg,image/webp,image/svg+xml';

/** Uploads an image, previews the resulting logo on the background colour of the app, and sets it as the logo. */
export function LogoUpload({ app, onChange }: { app: OperatorApp; onChange: () => void }) {
  const [state, setState] = useState<{ logo?: Logo; error?: ShownError; retry?: () => void; isPending?: boolean }>({});
  const [isOver, setOver] = useState(false);
  if (!useHasScope('portal')) return null;

  const upload = async (image: File | undefined) => {
    if (!image) return;
    setState({ isPending: true });
    try {
      setState({ logo: await createLogo(app.developerId, image) });
    } catch (error) {
      // A retry does not help if the image itself was refused.
      const canRetry = AppRegistryError.is(error) && error.isRetryable;
      setState({ error: shownError(error), ...(canRetry && { retry: () => void upload(image) }) });
    }
  };
  const assign = async ({ id }: Logo) => {
    setState((before) => ({ ...before, isPending: true }));
    try {
      // Only if the content is still the one that is shown.
      await operator.apps.update(app.id, { logoId: id }, { ifMatch: app.etag });
      setState({});
    } catch (error) {
      setState((before) => ({ ...before, error: shownError(error), isPending: false }));
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
        Drop an image here or choose a file: PNG, JPEG, WebP or SVG, up to 1 MiB
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
              Use as app logo
            </button>
            <code>{state.logo.id}</code>
            <CopyButton text={state.logo.id} name="Copy the id" />
          </p>
        </>
      )}
    </section>
  );
}

/** Stores an image for the apps of one developer. The metadata of its file identify it. */
function createLogo(developerId: string, image: File): Promise<Logo> {
  const { name, size, lastModified } = image;
  return createOnce(['logo', developerId, name, size, lastModified], (options) =>
    operator.logos.create({ developerId, image }, options),
  );
}

function LogoSizes({ logo, app: { name, listingInfo } }: { logo: Logo; app: OperatorApp }) {
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
