export const listStyle = `
.find { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s4); align-items: center; margin-bottom: var(--s3); }
.find form { flex: 0 1 20rem; min-width: 12rem; margin: 0; }
.filters { display: flex; flex-wrap: wrap; gap: 0 var(--s1); margin: 0 calc(-1 * var(--s2)); }
.filters a { padding: var(--s1) var(--s2); color: var(--soft); text-decoration: none; border-radius: var(--radius); white-space: nowrap; }
.filters a:hover { color: var(--ink); background: var(--tint); }
.filters a[aria-current] { color: var(--ink); font-weight: 600; }
.bulk { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s1) var(--s2); min-height: 2.25rem; font-size: var(--small); color: var(--soft); }
.bulk label { display: flex; align-items: center; gap: var(--s2); padding: var(--s1) 0; }
@media (scripting: enabled) { .bulk:not(.some) .chosen { visibility: hidden; } }
.videos { list-style: none; margin: 0 -0.75rem; padding: 0; border-top: 1px solid var(--line); }
.video {
  position: relative; display: grid; align-items: center; gap: var(--s1) var(--s3); padding: var(--s2) 0.75rem;
  grid-template-columns: 1rem 6rem minmax(0, 1fr) minmax(10rem, 13rem) 12rem 6rem;
  border-bottom: 1px solid var(--line);
}
.day h2 { margin: var(--s4) 0.75rem var(--s1); font-size: var(--small); font-weight: 600; color: var(--soft); letter-spacing: 0; }
.day:first-child h2 { margin-top: var(--s2); }
.video:hover, .video:focus-within { background: var(--tint); }
.video .pick { position: relative; z-index: 1; display: flex; padding: var(--s2); margin: calc(-1 * var(--s2)); cursor: pointer; }
.video .name { color: var(--ink); font-weight: 500; text-decoration: none; overflow: hidden; text-overflow: ellipsis; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow-wrap: anywhere; text-align: left; }
.video .name::after { content: ''; position: absolute; inset: 0; }
.video .name:focus-visible { outline: none; }
.video:has(.name:focus-visible) { outline: 3px solid var(--accent); outline-offset: -1px; border-radius: 4px; }
.video .why { position: relative; margin: 0; color: var(--bad); font-size: var(--small); max-width: none; overflow-wrap: anywhere; }
.video .why a { position: relative; z-index: 1; color: inherit; white-space: nowrap; }
.edits { display: flex; flex-wrap: wrap; gap: 0.25rem; list-style: none; margin: 0.25rem 0 0; padding: 0; }
.edits li { padding: 0 0.4rem; border-radius: 999px; background: var(--code); color: var(--soft); font-size: 0.75rem; line-height: 1.6; }
.video .state .progress { margin-top: var(--s1); }
.video .state, .video .made, .video .when { font-size: var(--small); }
.video .made, .video .when { color: var(--soft); }
.video .when { text-align: right; }
.still { position: relative; width: 6rem; aspect-ratio: 16 / 9; background: var(--code); border-radius: 4px; overflow: hidden; }
.still.heard { display: grid; place-items: center; background: none; border: 1px dashed var(--line); color: var(--soft); }
.still img { width: 100%; height: 100%; object-fit: cover; display: block; }
.still .length {
  position: absolute; right: 2px; bottom: 2px; padding: 0 0.25rem; border-radius: 3px;
  background: rgb(0 0 0 / 0.72); color: #fff; font-size: 0.75rem; line-height: 1.4;
}
@media (max-width: 64rem) {
  .video { grid-template-columns: 1rem 6rem minmax(0, 1fr) minmax(9rem, 12rem); }
  .video .still { grid-row: span 2; }
  .video .pick { grid-row: span 2; align-self: start; }
  .video .made { grid-column: 3; }
  .video .when { grid-column: 4; text-align: left; }
}
@media (max-width: 40rem) {
  .find form { flex-basis: 100%; }
  .video { grid-template-columns: 1rem 6rem minmax(0, 1fr); align-items: start; }
  .video .still, .video .pick { grid-row: 1 / span 4; }
  .video .what, .video .state, .video .made, .video .when { grid-column: 3; }
  .video .made:empty { display: none; }
}
`
