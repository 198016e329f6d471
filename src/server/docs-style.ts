/** Readable on a telephone and in the dark; nothing of it is fetched. */
export const STYLE = `
:root { color-scheme: light dark; --line: #8886; --code: #8881; --link: #0a58ca; --quiet: #666; }
@media (prefers-color-scheme: dark) { :root { --link: #7fb2ff; --quiet: #aaa; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { line-height: 1.2; margin: 1rem 0; }
h2 { margin: 3rem 0 .5rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { margin: 2.5rem 0 .3rem; }
h4 { margin: 1.2rem 0 .3rem; font-size: .95rem; }
p { margin: .4rem 0; }
a { color: var(--link); }
nav ul { columns: 24rem; padding: 0; margin: .5rem 0; list-style: none; font-size: .95rem; }
nav li { break-inside: avoid; padding: .15rem 0; }
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { background: var(--code); padding: .1em .3em; border-radius: .2rem; }
pre { background: var(--code); padding: .8rem; border-radius: .4rem; overflow-x: auto; overflow-wrap: normal; }
pre code { background: none; padding: 0; font-size: 1em; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .925rem; overflow-wrap: normal; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--quiet); }
td code { white-space: nowrap; }
td:last-child { min-width: 14rem; }
.method { display: inline-block; min-width: 3.6rem; font-weight: 700; }
.path { font-size: 1.05rem; }
.quiet { color: var(--quiet); }
details { margin: .6rem 0; }
summary { cursor: pointer; color: var(--link); }
`;
