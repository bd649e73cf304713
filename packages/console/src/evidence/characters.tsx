/**
 * Characters that people cannot see. The joiners of emoji and of scripts that need them are not among them; between
 * other letters they are.
 */
const hidden =
  /((?<=^|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Z}])(?:\p{Join_Control}|\p{Variation_Selector})|(?!\p{Join_Control}|\p{Variation_Selector}|[\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point})/u;

/** A text in which invisible characters are shown by their code points. */
export function Characters({ text }: { text: string }) {
  const pieces = text.split(hidden);
  if (pieces.length === 1) return <>{text}</>;
  return (
    <>
      {[...pieces.entries()].map(([at, piece]) =>
        at % 2 === 0 ? (
          piece
        ) : (
          <span key={at} class="hidden-character" title="An invisible character">
            {codePointOf(piece)}
          </span>
        ),
      )}
    </>
  );
}

/** "U+200B" for a zero-width space. */
function codePointOf(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}
