/** Readable on a telephone, in the dark and on paper; nothing of it is fetched. */
export const STYLE = `
:root { color-scheme: light dark; --back: #fff; --text: #1b1b1b; --quiet: #5c5c5c; --line: #8886; --tint: #8881;
  --link: #0a58ca; --bad: #b3261e; --warn: #8a5300; --good: #1b6e3c; --code: #5b3fb0; --sign: #a3481d; }
@media (prefers-color-scheme: dark) { :root { --back: #16181c; --text: #e8e8e8; --quiet: #b0b0b0;
  --link: #8ab4ff; --bad: #ff9d95; --warn: #ffc46b; --good: #7fd69c; --code: #c3b0ff; --sign: #ffb38a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 100rem; background: var(--back); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: .5rem 0 0; line-height: 1.2; }
h2 { margin: 2rem 0 .5rem; }
p { margin: .4rem 0; }
a { color: var(--link); }
.quiet, caption { color: var(--quiet); }
.banner { padding: .6rem .8rem; border: 2px solid var(--warn); border-radius: .4rem; }
.bad { color: var(--bad); } .warn { color: var(--warn); } .good { color: var(--good); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: start; padding: .3rem 0; }
th, td { text-align: start; vertical-align: top; padding: .35rem .7rem .35rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
thead th { color: var(--quiet); vertical-align: bottom; }
.summary { overflow-wrap: normal; font-variant-numeric: tabular-nums; font-size: .925rem; }
.summary th, .summary td { padding-inline-end: .55rem; }
.summary tbody th { overflow-wrap: anywhere; min-width: 8rem; } .done { white-space: nowrap; }
.summary td.number, .summary th.number { text-align: end; }
progress { width: 5rem; accent-color: var(--good); vertical-align: middle; }
summary { cursor: pointer; padding: .3rem 0; }
form { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; padding: .6rem 0; }
label { display: grid; font-size: .9rem; color: var(--quiet); max-width: 100%; }
label.check { display: flex; gap: .4rem; align-items: center; padding: .35rem 0; }
label.wide { flex: 1 1 16rem; }
input, select, button { font: inherit; color: var(--text); background: var(--back); padding: .3rem .5rem;
  border: 1px solid var(--quiet); border-radius: .3rem; max-width: 100%; }
select { max-width: 22rem; }
button:disabled { opacity: .5; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 1px; }
#keys table { table-layout: fixed; min-width: 50rem; }
#keys th:nth-child(1) { width: 22%; } #keys th:nth-child(4) { width: 18%; }
#keys th[scope=row] { font: .9em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
#keys td, #keys th { font-weight: 400; }
.text { white-space: pre-wrap; max-height: 22rem; overflow: auto; }
.code { color: var(--code); background: var(--tint); border-radius: .2rem; }
.sign { color: var(--sign); border: 1px solid currentColor; border-radius: .2rem; padding: 0 .15em; font-size: .8em; }
.place, .note { display: block; font: .85rem/1.4 system-ui, sans-serif; color: var(--quiet); }
.pages { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; padding: .6rem 0; }
#page { width: 6rem; }
ul.problems { margin: .2rem 0; padding-inline-start: 1.1rem; }
@media print { form, .pages { display: none; } }
`;
