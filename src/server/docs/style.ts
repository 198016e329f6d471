/** Readable on a phone and in dark mode; nothing is fetched. */
export const STYLE = `
:root { color-scheme: light dark; --back: #fff; --text: #1b1b1b; --line: #8886; --code: #f2f3f5; --link: #0a58ca; --quiet: #5c5c5c; }
@media (prefers-color-scheme: dark) {
  :root { --back: #16181c; --text: #e8e8e8; --code: #23262b; --link: #8ab4ff; --quiet: #b0b0b0; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; display: grid; grid-template-columns: 22rem minmax(0, 1fr); background: var(--back); color: var(--text);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem; border-inline-end: 1px solid var(--line); font-size: .9rem; }
nav h2 { margin: 1.2rem 0 .2rem; padding: 0; border: 0; font-size: .85rem; color: var(--quiet); }
nav ul { margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: .2rem .5rem; text-decoration: none; border-inline-start: 3px solid transparent; }
nav a:hover { text-decoration: underline; }
nav a[aria-current] { border-color: var(--link); background: var(--code); font-weight: 600; }
main { min-width: 0; max-width: 62rem; padding: 1rem 2rem 4rem; }
@media (max-width: 60rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 40vh; border-inline-end: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1rem; } }
h1 { line-height: 1.2; margin: .5rem 0 1rem; }
h2 { margin: 3rem 0 .5rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { margin: 2.5rem 0 .3rem; }
h4 { margin: 1.2rem 0 .3rem; font-size: .95rem; }
p { margin: .4rem 0; }
a { color: var(--link); }
.skip { position: absolute; inset-inline-start: -99rem; }
.skip:focus { inset-inline-start: .5rem; top: .5rem; padding: .4rem; background: var(--back); z-index: 1; }
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { background: var(--code); padding: .1em .3em; border-radius: .2rem; }
.block { position: relative; margin: .4rem 0; }
pre { margin: 0; background: var(--code); padding: .8rem; border-radius: .4rem; overflow: auto; max-height: 32rem; overflow-wrap: normal; }
pre code { background: none; padding: 0; font-size: 1em; }
.copy { position: absolute; top: .4rem; inset-inline-end: .4rem; }
button { font: .8rem/1.4 system-ui, sans-serif; padding: .15rem .6rem; color: var(--text); background: var(--back);
  border: 1px solid var(--quiet); border-radius: .3rem; cursor: pointer; }
button[aria-pressed=true] { background: var(--link); border-color: var(--link); color: var(--back); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.languages { display: flex; gap: .4rem; margin: .8rem 0 .4rem; }
.languages[hidden] { display: none; }
figure { margin: .6rem 0; }
figcaption { font-size: .85rem; color: var(--quiet); }
:root[data-language] figcaption, :root[data-language=curl] figure:not([data-language=curl]),
:root[data-language=javascript] figure:not([data-language=javascript]),
:root[data-language=python] figure:not([data-language=python]) { display: none; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .925rem; overflow-wrap: normal; }
th, td { text-align: start; vertical-align: top; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--quiet); }
td code { white-space: nowrap; }
td:last-child { min-width: 14rem; }
.method { display: inline-block; min-width: 3.6rem; font-weight: 700; }
.path { font-size: 1.05rem; }
details { margin: .6rem 0; }
summary { cursor: pointer; color: var(--link); }
@media print { nav, .copy, .languages { display: none; } body { display: block; } pre { max-height: none; white-space: pre-wrap; } }
`;
