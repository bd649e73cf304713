import { type AddressParts, addressParts, readAs } from './address.ts';
import { Characters } from './characters.tsx';
import type { ComparedField } from './comparison.ts';

/** A URL in its parts, below the earlier one if it has changed. Differences are marked. */
export function AddressValue({ field: { now, earlier, change } }: { field: ComparedField }) {
  if (!change) return <Address url={now} />;
  return (
    <div class="addresses">
      <Address url={earlier} other={now} as="del" />
      <Address url={now} other={earlier} as="ins" />
    </div>
  );
}

interface AddressProps {
  url: string | undefined;
  /** The URL that it replaces or that replaces it. */
  other?: string | undefined;
  /** Marks what the other one lacks. */
  as?: 'del' | 'ins';
}

function Address({ url, other, as: Mark }: AddressProps) {
  if (url === undefined) return null;
  const parts = addressParts(url);
  if (!parts) {
    const text = <Characters text={url} />;
    return (
      <p class="address" dir="auto">
        {Mark ? <Mark>{text}</Mark> : text}
      </p>
    );
  }
  const others = other === undefined ? undefined : addressParts(other);
  const unicode = readAs(parts.host);
  // A URL is left to right in every language.
  return (
    <div>
      <p class="address" dir="ltr">
        {partNames.map((name) => (
          <span key={name} class={name === 'host' ? 'host' : 'faint'}>
            {Mark && parts[name] !== '' && parts[name] !== others?.[name] ? <Mark>{parts[name]}</Mark> : parts[name]}
          </span>
        ))}
      </p>
      {unicode !== undefined && (
        <p class="faint">
          Host in Unicode:{' '}
          <bdi class="host">
            <Characters text={unicode} />
          </bdi>
        </p>
      )}
    </div>
  );
}

const partNames = ['scheme', 'host', 'port', 'path', 'query'] as const satisfies (keyof AddressParts)[];
