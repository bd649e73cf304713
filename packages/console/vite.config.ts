import { defineConfig, type Plugin } from 'vite';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // The source of the client, which needs no build.
  resolve: { tsconfigPaths: true },
  plugins: [preloadFont()],
  build: {
    target: 'es2022',
    // The content security policy forbids data: URLs and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});

/** The font is known from the first response on, not only once the styles are read. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const fonts = Object.keys(bundle).filter((name) => name.endsWith('.woff2'));
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true };
        return fonts.map((name) => ({ tag: 'link', attrs: { ...attrs, href: `/${name}` }, injectTo: 'head' }));
      },
    },
  };
}
