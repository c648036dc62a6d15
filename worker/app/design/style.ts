/** The look of the components in this room. */
export const componentStyle = `
.button, button.button {
  display: inline-flex; align-items: center; justify-content: center; gap: var(--s2);
  min-height: 2.25rem; padding: 0 0.875rem; font: 500 var(--text)/1.2 var(--sans); color: var(--ink);
  background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); cursor: pointer;
  text-decoration: none; white-space: nowrap;
}
.button:hover { border-color: var(--soft); }
.button:active { background: var(--code); }
.button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.button.primary:hover { filter: brightness(0.93); }
.button.danger { color: var(--bad); }
.button.danger:hover { border-color: var(--bad); }
.button.quiet { background: none; border-color: transparent; color: var(--soft); padding: 0 var(--s2); }
.button.quiet:hover { color: var(--ink); background: var(--tint); }
.button.small { min-height: 1.75rem; padding: 0 var(--s2); font-size: var(--small); }
.button[disabled] { opacity: 0.55; cursor: not-allowed; }
.button[aria-busy=true] { cursor: progress; }
.field { display: block; margin: 0 0 var(--s3); max-width: 32rem; }
.field > label { display: block; font-weight: 500; margin-bottom: var(--s1); }
.field .hint { color: var(--soft); font-size: var(--small); margin: var(--s1) 0 0; }
.field .fault { color: var(--bad); font-size: var(--small); margin: var(--s1) 0 0; }
.input, select.input, textarea.input {
  width: 100%; min-height: 2.25rem; padding: 0.375rem 0.625rem; font: var(--text)/1.4 var(--sans); color: var(--ink);
  background: var(--card); border: 1px solid color-mix(in srgb, var(--soft) 70%, var(--line)); border-radius: var(--radius);
}
.input::placeholder { color: var(--soft); opacity: 1; }
.input[aria-invalid=true] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
input[type=checkbox], input[type=radio] { width: 1rem; height: 1rem; margin: 0; accent-color: var(--accent); flex: none; }
.table { width: 100%; border-collapse: collapse; }
.table th, .table td { text-align: left; vertical-align: top; padding: var(--s2) var(--s3) var(--s2) 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.table thead th { color: var(--soft); font-weight: 500; font-size: var(--small); white-space: nowrap; }
.table tbody th { font-weight: 500; }
.table .right { text-align: right; padding-right: 0; white-space: nowrap; }
@media (max-width: 44rem) {
  .table, .table tbody, .table tr, .table th, .table td { display: block; }
  .table thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .table tr { padding: var(--s2) 0; border-bottom: 1px solid var(--line); }
  .table th, .table td { border: 0; padding: 2px 0; }
  .table td { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: var(--s2); text-align: left; }
  .table .right { text-align: left; white-space: normal; }
  .table td::before { content: attr(data-label); color: var(--soft); }
}
.badge { display: inline-flex; vertical-align: baseline; align-items: center; gap: 0.375rem; white-space: nowrap; font-size: var(--small); font-weight: 500; }
.badge svg { flex: none; align-self: center; }
.badge.good { color: var(--good); } .badge.busy { color: var(--busy); }
.badge.bad { color: var(--bad); } .badge.idle { color: var(--idle); }
.empty { max-width: 40rem; margin: var(--s6) auto; }
.empty h2 { font-size: 1.25rem; }
.empty p { color: var(--soft); margin-bottom: var(--s3); }
.empty .or { margin: var(--s4) 0 var(--s2); }
.notice {
  display: flex; gap: var(--s2); align-items: flex-start; padding: var(--s2) var(--s3); margin: 0 0 var(--s3);
  border-left: 3px solid var(--tone, var(--idle)); background: color-mix(in srgb, var(--tone, var(--idle)) 8%, var(--paper));
  border-radius: 0 var(--radius) var(--radius) 0; overflow-wrap: anywhere;
}
.notice p { margin: 0; } .notice p + p { margin-top: var(--s1); }
.notice svg { flex: none; color: var(--tone); margin-top: 0.2rem; }
.notice > div { min-width: 0; }
.notice.good { --tone: var(--good); } .notice.busy { --tone: var(--busy); } .notice.bad { --tone: var(--bad); }
.tabs { display: flex; gap: var(--s1); overflow-x: auto; border-bottom: 1px solid var(--line); margin: var(--s4) 0 var(--s3); scrollbar-width: thin; }
.tabs a { padding: var(--s2) var(--s2) 0.4rem; color: var(--soft); text-decoration: none; white-space: nowrap; border-bottom: 2px solid transparent; }
.tabs a:hover { color: var(--ink); }
.tabs a[aria-selected=true] { color: var(--ink); border-bottom-color: var(--accent); }
.tabs a:focus-visible { outline-offset: -3px; }
.outputs { margin-top: var(--s4); }
.panel > h2 { margin-top: var(--s4); }
@media (scripting: enabled) {
  .panel:not(.open) { display: none; }
  .panel > h2 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
}
.code { position: relative; margin: 0 0 var(--s3); }
.code pre {
  margin: 0; padding: var(--s3); border-radius: var(--radius); background: var(--code); color: var(--ink);
  line-height: 1.55; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 32rem; overflow-y: auto;
}
.code.shell pre { background: var(--shell); color: var(--shell-ink); }
.code figcaption { display: flex; align-items: center; justify-content: space-between; color: var(--soft); font-size: var(--small); margin-bottom: var(--s1); min-height: 1.75rem; }
.progress { appearance: none; width: 100%; height: 0.5rem; border: 0; border-radius: 99px; background: var(--code); overflow: hidden; display: block; }
.progress::-webkit-progress-bar { background: color-mix(in srgb, var(--ink) 10%, var(--paper)); border-radius: 99px; }
.progress::-webkit-progress-value { background: var(--busy); border-radius: 99px; transition: width 0.4s ease-out; }
.progress::-moz-progress-bar { background: var(--busy); border-radius: 99px; }
dialog {
  width: min(32rem, calc(100vw - 2rem)); max-height: calc(100vh - 4rem); padding: var(--s4); color: var(--ink); background: var(--card);
  border: 1px solid var(--line); border-radius: 10px; box-shadow: 0 12px 48px rgb(0 0 0 / 0.25);
}
dialog::backdrop { background: rgb(0 0 0 / 0.4); }
dialog h2 { margin-bottom: var(--s2); overflow-wrap: anywhere; }
dialog .actions { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: var(--s2); margin-top: var(--s4); }
.keys { display: grid; grid-template-columns: max-content 1fr; gap: var(--s2) var(--s3); margin: var(--s3) 0 0; }
.keys dd { margin: 0; }
kbd { font-family: var(--mono); padding: 0.1rem 0.4rem; border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; background: var(--paper); }
.pages { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: var(--s2); margin-top: var(--s3); color: var(--soft); font-size: var(--small); }
.copyable {
  font: var(--small)/1.4 var(--mono); color: inherit; background: none; border: 0; padding: 0.1rem 0.25rem; margin: 0 -0.25rem;
  border-radius: 4px; cursor: copy; overflow-wrap: anywhere; text-align: left;
}
.copyable:hover { background: var(--tint); }
.copyable[data-copied]::after, .button[data-copied]::after { content: ' · copied'; color: var(--good); }
time { white-space: nowrap; }
.menu { position: relative; }
.menu summary { list-style: none; }
.menu summary::-webkit-details-marker { display: none; }
.menu summary::after { content: ''; border: 4px solid transparent; border-top-color: currentColor; margin-top: 4px; }
.menu ul {
  position: absolute; left: 0; top: calc(100% + var(--s1)); z-index: 2; list-style: none; margin: 0; padding: var(--s1); min-width: 12rem;
  background: var(--card); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: 0 8px 24px rgb(0 0 0 / 0.16);
}
.menu li a { display: block; padding: var(--s2); color: var(--ink); text-decoration: none; border-radius: 4px; }
.menu li a:hover { background: var(--tint); }
.evidence { display: block; width: max-content; max-width: 100%; margin-top: var(--s2); } .evidence img { display: block; max-width: 100%; border-radius: var(--radius); }
.plain-link { color: inherit; text-decoration: none; }
.plain-link:hover { text-decoration: underline; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: var(--s1) var(--s3); margin: 0; }
.facts dt { color: var(--soft); } .facts dd { margin: 0; overflow-wrap: anywhere; }
`

/** The layout of the page: its head, its navigation, and the place of its content. */
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
.back { font-size: var(--small); color: var(--soft); text-decoration: none; overflow-wrap: anywhere; }
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
