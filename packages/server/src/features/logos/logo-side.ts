/** Of the square that every logo is drawn as, in pixels. */
export const logoSide = 512;
