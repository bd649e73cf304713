import Type from 'typebox';

/** A logo that apps of its developer can show. */
export const Logo = Type.Object({
  id: Type.String(),
  developerId: Type.String(),
  logoUrl: Type.String({ format: 'uri' }),
});
export type Logo = Type.Static<typeof Logo>;
