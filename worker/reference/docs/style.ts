import { baseStyle } from '../pages/base-style.ts'

/** The head of the pages below /docs, its search, and what scripts add to a block of code. */
const docsStyle = `
.banner {
  position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 1.5rem;
  padding: 0.6rem clamp(1rem, 3vw, 2rem); background: var(--paper); border-bottom: 1px solid var(--line);
}
.places { display: flex; gap: 1.1rem; }
.places a { color: var(--soft); text-decoration: none; font-size: 0.9375rem; padding: 0.35rem 0; border-bottom: 2px solid transparent; white-space: nowrap; }
.places a:hover { color: var(--ink); }
.places a[aria-current] { color: var(--ink); border-bottom-color: var(--accent); }
.search { position: relative; margin-left: auto; flex: 0 1 18rem; min-width: 9rem; }
.search input {
  width: 100%; min-height: 2.25rem; padding: 0.35rem 2rem 0.35rem 0.7rem; font: 0.9375rem/1.4 var(--sans); color: var(--ink);
  background: var(--card); border: 1px solid color-mix(in srgb, var(--soft) 70%, var(--line)); border-radius: 6px;
}
.search input::placeholder { color: var(--soft); opacity: 1; }
.search input::-webkit-search-cancel-button { display: none; }
.search > kbd {
  position: absolute; right: 0.5rem; top: 0.5rem; font: 0.75rem/1.2 var(--mono); color: var(--soft); padding: 0.05rem 0.4rem;
  border: 1px solid var(--line); border-radius: 4px; pointer-events: none;
}
.search:focus-within > kbd { display: none; }
#found {
  position: absolute; right: 0; top: calc(100% + 0.4rem); width: min(34rem, calc(100vw - 2rem)); max-height: min(70vh, 36rem);
  overflow-y: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  box-shadow: 0 12px 40px rgb(0 0 0 / 0.18); padding: 0.4rem;
}
#found[hidden] { display: none; }
#found ul { list-style: none; margin: 0; padding: 0; }
#found a { display: block; padding: 0.5rem 0.7rem; border-radius: 6px; text-decoration: none; color: var(--ink); }
#found a:hover, #found a:focus { background: var(--code); }
#found .of { display: block; color: var(--soft); font-size: 0.8125rem; }
#found .text { display: block; color: var(--soft); font-size: 0.875rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#found mark { background: none; color: var(--accent); font-weight: 600; }
#found p { margin: 0; padding: 0.5rem 0.7rem; color: var(--soft); }
.aside { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
@media (scripting: none) { .search { display: none; } }
.copy {
  position: absolute; top: 0.45rem; right: 0.45rem; min-height: 1.75rem; padding: 0 0.6rem; font: 0.8125rem var(--sans); color: var(--soft);
  background: var(--code); border: 1px solid var(--line); border-radius: 6px; cursor: pointer;
}
.copy:hover { color: var(--ink); border-color: var(--soft); }
.copy[data-copied]::after { content: ' ✓'; color: var(--get); }
.code { position: relative; margin: 0 0 1rem; }
.code > pre { margin: 0; }
@media (max-width: 40rem) {
  .banner { gap: 0.3rem 1rem; }
  .search { order: 3; flex: 1 1 100%; }
  .places { margin-left: auto; gap: 0.9rem; }
  .places a { font-size: 0.875rem; }
  #found { left: 0; right: 0; width: auto; }
}
@media (max-width: 40rem) { html { scroll-padding-top: 7rem; } }
`

/** The only style sheet of the reference. The guides add to it. */
export const css = `${baseStyle}${docsStyle}
html { scroll-padding-top: 4.5rem; }
main:focus { outline: none; }
:not(pre) > code {
  background: var(--code); border-radius: 4px; padding: 0.1em 0.35em; overflow-wrap: anywhere;
}
.skip {
  position: absolute; left: 1rem; top: -4rem; z-index: 3; background: var(--card);
  padding: 0.5rem 1rem; border-radius: 0 0 8px 8px;
}
.skip:focus { top: 0; }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); }
main { padding: clamp(1.5rem, 4vw, 3rem) clamp(1rem, 4vw, 3rem); max-width: 68rem; width: 100%; }
.side { display: none; }
.contents { margin: 0 0 1.5rem; }
main nav ul, .side ul { list-style: none; margin: 0; padding: 0; }
main nav > ul > li, .side > ul > li { margin-bottom: 1.1rem; }
main nav > ul > li > a, .side > ul > li > a { font-size: 0.8125rem; font-weight: 600; color: var(--ink); text-decoration: none; }
main nav li li a, .side li li a {
  display: flex; align-items: center; gap: 0.55rem; padding: 0.22rem 0; font-size: 0.9rem;
  color: var(--soft); text-decoration: none;
}
main nav li a:hover, .side li a:hover { color: var(--accent); }
.dot { flex: none; width: 0.5rem; height: 0.5rem; border-radius: 50%; background: var(--soft); }
@media (min-width: 64rem) {
  .columns { grid-template-columns: 16.5rem minmax(0, 1fr); }
  .side {
    display: block; position: sticky; top: 3.5rem; align-self: start;
    height: calc(100vh - 3.5rem); overflow-y: auto; padding: 2rem 1rem 3rem 2rem;
    border-right: 1px solid var(--line);
  }
  .contents { display: none; }
}
h2 { font-size: 1.7rem; margin: 4rem 0 0.5rem; padding-top: 2rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.25rem; margin: 0 0 0.4rem; }
.operation h2 {
  font-size: 0.8rem; text-transform: uppercase; letter-spacing: 0.07em; color: var(--soft);
  margin: 2rem 0 0.5rem; padding: 0; border: 0;
}
.operations { list-style: none; margin: 1rem 0 0; padding: 0; }
.operations li {
  display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.2fr); gap: 0.2rem 1.5rem; align-items: baseline;
  padding: 0.55rem 0; border-top: 1px solid var(--line);
}
.operations li:target { background: var(--code); }
.operations .address { margin: 0; }
.section { display: block; font-size: 0.8125rem; font-weight: 600; color: var(--ink); margin-bottom: 0.2rem; }
.side a[aria-current], .contents a[aria-current] { color: var(--accent); font-weight: 600; }
.neighbours { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.5rem 2rem; margin-top: 3.5rem; padding-top: 1.2rem; border-top: 1px solid var(--line); max-width: 46rem; }
.neighbours a[rel=next] { margin-left: auto; }
.facts {
  display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.5rem 1.5rem;
  margin: 1.5rem 0; padding: 1.1rem 1.3rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 10px;
}
.facts dt { color: var(--soft); }
.facts dd { margin: 0; }
.address { display: flex; flex-wrap: wrap; align-items: center; gap: 0.6rem; margin-bottom: 0.9rem; }
.address code { background: none; padding: 0; font-size: 1rem; }
.method {
  font: 700 0.75rem var(--mono); letter-spacing: 0.04em; border: 1.5px solid currentColor;
  border-radius: 6px; padding: 0.2rem 0.5rem;
}
.method.get { color: var(--get); } .dot.get { background: var(--get); }
.method.post { color: var(--post); } .dot.post { background: var(--post); }
.method.patch { color: var(--patch); } .dot.patch { background: var(--patch); }
.method.delete { color: var(--delete); } .dot.delete { background: var(--delete); }
.method.head { color: var(--head); } .dot.head { background: var(--head); }
.open { font-size: 0.8rem; color: var(--soft); }
pre {
  margin: 0 0 1rem; padding: 0.95rem 1.1rem; border-radius: 10px; background: var(--code);
  line-height: 1.55; white-space: pre-wrap; overflow-wrap: anywhere;
}
.command { background: var(--shell); color: var(--shell-ink); border: 1px solid var(--line); }
details { border: 1px solid var(--line); border-radius: 10px; margin: 0.5rem 0; background: var(--card); }
summary { cursor: pointer; padding: 0.6rem 1rem; font-size: 0.9rem; }
summary .of { color: var(--soft); margin-right: 0.4rem; }
details > pre, details > nav { margin: 0; border-top: 1px solid var(--line); border-radius: 0 0 9px 9px; }
details > nav { padding: 1rem; }
.when { margin: 1.5rem 0 0.4rem; font-size: 0.9rem; color: var(--soft); }
td code { white-space: nowrap; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; margin: 0 0 1rem; }
th, td { text-align: left; vertical-align: top; padding: 0.55rem 0.9rem 0.55rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 500; font-size: 0.8rem; white-space: nowrap; }
tbody th { font-weight: 600; }
td:last-child { min-width: 17rem; }
tbody th code { background: none; padding: 0; white-space: nowrap; }
.status { font-family: var(--mono); }
.s2, .s3 { color: var(--get); } .s4 { color: var(--patch); } .s5 { color: var(--delete); }
@media (max-width: 52rem) {
  .operations li { grid-template-columns: minmax(0, 1fr); }
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0.1rem; }
  .facts dd { margin-bottom: 0.7rem; }
  table, tbody, tr, th, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { padding: 0.7rem 0; border-bottom: 1px solid var(--line); }
  th, td { border: 0; padding: 0.12rem 0; }
  tbody th code, td code { white-space: normal; }
  tbody th code { font-size: 0.95em; }
  td:last-child { min-width: 0; }
  td { display: grid; grid-template-columns: 6rem minmax(0, 1fr); gap: 0.75rem; }
  td::before { content: attr(data-label); color: var(--soft); }
  td:has(> span:empty) { display: none; }
}
@media print {
  .side, .banner, .skip, .contents, .neighbours { display: none; }
  .columns { display: block; }
}
`
