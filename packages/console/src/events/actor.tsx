import { hrefOf } from '../route.ts';

/** Who made a change, by name where it is known, with a link to everything that they changed. */
export function Actor({ actor, name }: { actor: string; name: string | undefined }) {
  return (
    <a href={hrefOf(['events'], { actor })} title={actor}>
      <bdi>{name ?? actor}</bdi>
    </a>
  );
}

/** The names that a page of a list has beside its items. */
export function namesOf({ actors = [] }: { actors?: { actor: string; name: string }[] }): Map<string, string> {
  return new Map(actors.map(({ actor, name }) => [actor, name]));
}
