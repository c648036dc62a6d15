/** The head of the pages below /docs, its search, and what scripts add to a block of code. */
export const docsStyle = `
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
