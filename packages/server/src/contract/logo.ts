import Type from 'typebox';
import { pageParameters } from './page.ts';

/** A logo that apps of its developer can show. */
export const Logo = Type.Object({
  id: Type.String(),
  developerId: Type.String(),
  logoUrl: Type.String({ format: 'uri' }),
});
export type Logo = Type.Static<typeof Logo>;

/** What asks for the logos of a developer. */
export const LogoQuery = Type.Object(
  { developerId: Type.String({ minLength: 1, maxLength: 100 }), ...pageParameters },
  { additionalProperties: false },
);
export type LogoQuery = Type.Static<typeof LogoQuery>;
