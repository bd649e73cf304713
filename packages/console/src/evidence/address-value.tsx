import { type AddressParts, addressParts, readAs } from './address.ts';
import { Characters } from './characters.tsx';
import type { ComparedField } from './comparison.ts';

/** A URL in its parts. Each part that has changed follows the one that it replaces. */
export function AddressValue({ field: { now, earlier, change } }: { field: ComparedField }) {
  const parts = now === undefined ? undefined : addressParts(now);
  const before = earlier === undefined ? undefined : addressParts(earlier);
  if (change === 'changed' && parts && before) {
    return (
      <div>
        {/* A URL is left to right in every language. */}
        <p class="address" dir="ltr">
          {partNames.map((name) => (
            <Part key={name} name={name} now={parts[name]} earlier={before[name]} />
          ))}
        </p>
        <UnicodeHost of={before} />
        <UnicodeHost of={parts} />
      </div>
    );
  }
  return (
    <div>
      {change && earlier !== undefined && (
        <>
          <p class="address" dir={before ? 'ltr' : 'auto'}>
            <del>
              <Characters text={earlier} />
            </del>
          </p>
          {before && <UnicodeHost of={before} />}
        </>
      )}
      {now !== undefined && (
        <>
          <p class="address" dir={parts ? 'ltr' : 'auto'}>
            {change ? (
              <ins>
                <Characters text={now} />
              </ins>
            ) : (
              <Whole url={now} parts={parts} />
            )}
          </p>
          {parts && <UnicodeHost of={parts} />}
        </>
      )}
    </div>
  );
}

function Whole({ url, parts }: { url: string; parts: AddressParts | undefined }) {
  if (!parts) return <Characters text={url} />;
  return (
    <>
      {partNames.map((name) => (
        <Part key={name} name={name} now={parts[name]} earlier={parts[name]} />
      ))}
    </>
  );
}

function Part({ name, now, earlier }: { name: keyof AddressParts; now: string; earlier: string }) {
  return (
    <span class={name === 'host' ? 'host' : 'faint'}>
      {now === earlier ? (
        now
      ) : (
        <>
          {earlier !== '' && <del>{earlier}</del>}
          {now !== '' && <ins>{now}</ins>}
        </>
      )}
    </span>
  );
}

function UnicodeHost({ of: { host } }: { of: AddressParts }) {
  const unicode = readAs(host);
  if (unicode === undefined) return null;
  return (
    <p class="faint">
      Host in Unicode:{' '}
      <bdi class="host">
        <Characters text={unicode} />
      </bdi>
    </p>
  );
}

const partNames = ['scheme', 'host', 'port', 'path', 'query'] as const satisfies (keyof AddressParts)[];
