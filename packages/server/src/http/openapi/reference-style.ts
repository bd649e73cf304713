/** The style of a reference page. Everything that is coloured has the contrast of WCAG AA in both schemes. */
export const referenceStyle = `
  :root { color-scheme: light dark; --ground: light-dark(#fff, #1a1b1e); --line: light-dark(#dee2e6, #373a40); --soft: light-dark(#f1f3f5, #25262b); --link: light-dark(#364fc7, #91a7ff); --faint: light-dark(#495057, #adb5bd); }
  * { box-sizing: border-box; }
  html { scroll-padding-top: 1rem; }
  body { font: 16px/1.6 ui-sans-serif, system-ui, sans-serif; margin: 0; color: light-dark(#212529, #dee2e6); background: var(--ground); }
  header { padding: 1rem; border-bottom: 1px solid var(--line); } header p { margin: 0; font-weight: 600; }
  .page { max-width: 88rem; margin: 0 auto; } nav, main { padding: 1.5rem 1rem; } main { min-width: 0; max-width: 62rem; padding-bottom: 6rem; }
  .skip { position: absolute; left: -999rem; } .skip:focus { position: fixed; z-index: 1; top: .5rem; left: .5rem; padding: .5rem 1rem; background: var(--ground); border: 2px solid var(--link); }
  :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; } main:focus { outline: 0; }
  nav { font-size: .875rem; line-height: 1.4; max-height: 20rem; overflow-y: auto; background: var(--soft); border-bottom: 1px solid var(--line); }
  nav h2 { margin: 0 0 .5rem; font-size: inherit; border: 0; } nav ul { margin: 0; padding: 0; list-style: none; } nav ul ul { padding-left: 1rem; }
  nav a { display: block; padding: .2rem 0; min-height: 1.5rem; text-decoration: none; overflow-wrap: anywhere; } nav a:hover { text-decoration: underline; } nav ul ul a { color: var(--faint); }
  @media (min-width: 64rem) {
    .page { display: grid; grid-template-columns: 18rem minmax(0, 1fr); gap: 2rem; }
    nav { position: sticky; top: 0; align-self: start; max-height: 100vh; background: none; border: 0; }
  }
  h1, h2, h3, h4 { line-height: 1.25; margin: 2em 0 .6em; overflow-wrap: anywhere; } h1 { margin-top: 0; } h2 { border-bottom: 1px solid var(--line); padding-bottom: .25em; }
  p, li { overflow-wrap: break-word; }
  a { color: var(--link); } :target, tr:has(:target) { background: light-dark(#fff3bf, #443206); }
  code, pre { font: .88em/1.5 ui-monospace, Menlo, Consolas, monospace; background: var(--soft); border-radius: 4px; } code { padding: .1em .3em; overflow-wrap: anywhere; }
  pre { margin: 0; padding: .8em 1em; width: fit-content; min-width: 100%; } pre code { padding: 0; font-size: inherit; overflow-wrap: normal; }
  .scroll { margin: 1em 0; overflow-x: auto; } table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: .35em .7em; text-align: left; vertical-align: top; } th { background: var(--soft); } td code { overflow-wrap: normal; }
  @media (max-width: 40rem) { td, th { min-width: 7rem; } }
`;
