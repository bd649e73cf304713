import { defineConfig } from 'vite';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    // What the policy of the page forbids: files inlined as addresses, and scripts inlined into it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
