import type { DeliveryDetails, HeaderField } from '@appregistrar/client/operator';
import { CopyButton } from '../../parts/copy-button.tsx';

/** What the last attempt sent. */
export function DeliveryRequestSection({ delivery: { request, attempts } }: { delivery: DeliveryDetails }) {
  return (
    <section class="exchange" aria-labelledby="request">
      <h2 id="request">Request</h2>
      {request ? (
        <>
          <p class="start-line">
            <code>POST {request.url}</code>
          </p>
          <HeaderFields of="request" fields={request.headers} />
          <Body of="request" text={request.body} />
        </>
      ) : (
        <p class="empty">{attempts === 0 ? 'No attempt yet.' : 'The request of the last attempt is not stored.'}</p>
      )}
    </section>
  );
}

/** What came back. */
export function DeliveryResponseSection({ delivery }: { delivery: DeliveryDetails }) {
  const { request, response } = delivery;
  return (
    <section class="exchange" aria-labelledby="response">
      <h2 id="response">Response</h2>
      {response?.headers ? (
        <>
          <p class="start-line">
            <code>{response.status}</code> after {request?.durationMs.toLocaleString()} ms
          </p>
          <HeaderFields of="response" fields={response.headers} />
          {response.isBinary && <p class="hint">The body is not text, and is not stored.</p>}
          {response.body === '' && <p class="hint">The body is empty.</p>}
          {response.body && <Body of="response" text={response.body} />}
          {response.isTruncated && <p class="hint">Only the start of the response is stored.</p>}
        </>
      ) : (
        <p class="empty">{withoutResponse(delivery)}</p>
      )}
      {!request && response?.body && <Body of="response" text={response.body} />}
    </section>
  );
}

function withoutResponse({ request, response, attemptedAt }: DeliveryDetails): string {
  if (attemptedAt === undefined) return 'No attempt yet.';
  return request ? `No response. ${response?.body ?? ''}` : 'Only its start is stored.';
}

function HeaderFields({ of, fields }: { of: string; fields: HeaderField[] }) {
  return (
    <table class="header-fields">
      <caption class="visually-hidden">The header of the {of}</caption>
      <tbody>
        {fields.map(({ name, value }, at) => (
          <tr key={at}>
            <th scope="row">{name}</th>
            <td>
              <bdi>{value}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A body as text, never as a page. JSON is indented; what is copied is not. */
function Body({ of, text }: { of: string; text: string }) {
  const label = `The body of the ${of}`;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long one scrolls, also by keyboard. */}
      <section class="body" aria-label={label} tabIndex={0}>
        <pre>{indented(text)}</pre>
      </section>
      <p>
        <CopyButton text={text} name="Copy the body" label={`Copy ${label.toLowerCase()}`} />
      </p>
    </>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
