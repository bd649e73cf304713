import { useState } from 'preact/hooks';
import type { Refusal } from '../../api/http-request.ts';
import { addLogo, giveLogo, type Logo, type SeenApp } from '../../api/operations.ts';
import { AppLogo } from '../../parts/app-logo.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Refused } from '../../parts/refused.tsx';
import { useMay } from '../../scopes.ts';
import { asRefusal } from '../../use-request.ts';
import { bestText } from './contrast.ts';

const sizes = [32, 64, 128];
const mediaTypes = 'image/png,image/jpeg,image/webp,image/svg+xml';

/** Takes an image, shows what the registry has made of it on the colour of the app, and gives it to the app. */
export function LogoUpload({ seen, onChange }: { seen: SeenApp; onChange: () => void }) {
  const [state, setState] = useState<{ logo?: Logo; refusal?: Refusal; retry?: () => void; isAsking?: boolean }>({});
  const [isOver, setOver] = useState(false);
  if (!useMay('portal')) return null;
  const { app } = seen;

  const upload = async (image: File | undefined) => {
    if (!image) return;
    setState({ isAsking: true });
    try {
      setState({ logo: await addLogo(app.developerId, image) });
    } catch (error) {
      const refusal = asRefusal(error);
      // What is no image will not be one at the next try.
      const mayBeRetried = (refusal.problem.status ?? 500) >= 500;
      setState({ refusal, ...(mayBeRetried && { retry: () => void upload(image) }) });
    }
  };
  const give = async ({ id }: Logo) => {
    setState((before) => ({ ...before, isAsking: true }));
    try {
      await giveLogo(seen, id);
      setState({});
    } catch (error) {
      setState((before) => ({ ...before, refusal: asRefusal(error), isAsking: false }));
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
      <h2 id="logo">Another logo</h2>
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
          disabled={state.isAsking}
          onChange={({ currentTarget }) => {
            void upload(currentTarget.files?.[0]);
            // So that the same file can be chosen again, once it is another one.
            currentTarget.value = '';
          }}
        />
      </label>
      <p role="status">{state.isAsking && 'The registry draws the image anew…'}</p>
      {state.refusal && <Refused refusal={state.refusal} {...(state.retry && { retry: state.retry })} />}
      {state.logo && (
        <>
          <LogoSizes logo={state.logo} app={app} />
          <p class="choices">
            <button type="button" class="first" disabled={state.isAsking} onClick={() => give(state.logo as Logo)}>
              Show it as the logo of the app
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
