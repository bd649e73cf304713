// The package's own bundle, because its modules read their data from files, which cannot be bundled.
declare module 'css-tree/dist/csstree.esm' {
  export * from 'css-tree';
}
