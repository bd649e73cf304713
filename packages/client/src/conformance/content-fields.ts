// Written by `npm run client-types` from the table of content fields. Do not edit.

/** The fields of an app's content. `lengthMax` is in code points. */
export const contentFields = [
  { pointer: '/name', kind: 'name', isOptional: false, lengthMax: 100 },
  { pointer: '/logoId', kind: 'logo', isOptional: true, lengthMax: 100 },
  { pointer: '/listingInfo/shortDescription', kind: 'line', isOptional: true, lengthMax: 500 },
  { pointer: '/listingInfo/longDescription', kind: 'lines', isOptional: true, lengthMax: 4000 },
  { pointer: '/listingInfo/backgroundColor', kind: 'colour', isOptional: false, lengthMax: null },
  { pointer: '/oauthInfo/loginUrl', kind: 'url', isOptional: true, lengthMax: 2048 },
  { pointer: '/oauthInfo/callbackUrl', kind: 'url', isOptional: true, lengthMax: 2048 },
] as const;
