import { defineConfig } from 'vite';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // The source of the client, which needs no build.
  resolve: { tsconfigPaths: true },
  build: {
    target: 'es2022',
    // The content security policy forbids data: URLs and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
