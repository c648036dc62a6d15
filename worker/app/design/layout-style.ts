/** The page itself: its head, its navigation, and where its content stands. */
export const layoutStyle = `
html { scroll-padding-top: var(--s4); }
body {
  display: flex; flex-direction: column; min-height: 100vh; font-size: var(--text); line-height: 1.5;
  font-variant-numeric: tabular-nums;
}
[hidden] { display: none !important; }
h1 { font-size: 1.5rem; margin: 0; letter-spacing: -0.02em; overflow-wrap: anywhere; }
h2 { font-size: 1.125rem; margin: 0 0 var(--s2); }
h3 { font-size: var(--large); margin: 0 0 var(--s2); }
code, pre, kbd { font-size: var(--small); }
p { margin: 0 0 var(--s2); }
.skip {
  position: absolute; left: var(--s3); top: -4rem; z-index: 3; background: var(--card);
  padding: var(--s2) var(--s3); border-radius: 0 0 var(--radius) var(--radius);
}
.skip:focus { top: 0; }
.aside { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (scripting: none) { .needs-script { display: none !important; } }
.top {
  display: flex; flex-wrap: wrap; align-items: center; gap: var(--s1) var(--s4);
  padding: var(--s2) var(--side); border-bottom: 1px solid var(--line);
}
.top nav { flex: 1 1 auto; }
.top nav ul { display: flex; flex-wrap: wrap; gap: 0 var(--s1); list-style: none; margin: 0 calc(-1 * var(--s2)); padding: 0; }
.top nav a {
  display: block; padding: var(--s2); color: var(--soft); text-decoration: none; white-space: nowrap;
  border-bottom: 2px solid transparent;
}
.top nav a:hover { color: var(--ink); }
.top nav a[aria-current] { color: var(--ink); border-bottom-color: var(--accent); }
.account { display: flex; align-items: center; gap: var(--s2); min-width: 0; color: var(--soft); font-size: var(--small); }
.account .who { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-width: 14rem; }
.account form { margin: 0; }
.page { flex: 1; width: 100%; padding: var(--s4) var(--side) var(--s7); }
.page:focus { outline: none; }
.head { display: flex; flex-wrap: wrap; align-items: flex-start; gap: var(--s2) var(--s3); margin-bottom: var(--s4); }
.head > .title { flex: 1 1 9rem; min-width: 0; }
.head .actions { display: flex; flex-wrap: wrap; gap: var(--s2); align-items: center; }
.back { font-size: var(--small); color: var(--soft); text-decoration: none; }
.back:hover { color: var(--ink); text-decoration: underline; }
.soft { color: var(--soft); }
.numbers { text-align: right; }
.stack > * + * { margin-top: var(--s3); }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2); }
.connection {
  position: fixed; inset: auto 0 0; z-index: 4; margin: 0; max-width: none; padding: var(--s2) var(--side); background: var(--shell); color: var(--shell-ink);
}
.app-foot { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s1) var(--s3); font-size: var(--small); padding: var(--s3) var(--side); }
@media (min-width: 56rem) { .top .account { order: 3; } }
@media (max-width: 56rem) {
  .top nav { order: 3; flex-basis: 100%; }
  .top .account { margin-left: auto; }
}
@media (max-width: 30rem) { .account .who { max-width: 7rem; } }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
@media print { .top, .skip, .connection, .app-foot { display: none; } }
`
