export const videoStyle = `
.rename { font-size: var(--small); color: var(--soft); }
.rename summary { cursor: pointer; width: max-content; }
.rename form { display: flex; flex-wrap: wrap; align-items: flex-end; gap: var(--s2); margin-top: var(--s2); }
.rename .field { margin: 0; flex: 1 1 16rem; }
.watch { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s4); align-items: start; }
@media (min-width: 56rem) { .watch { grid-template-columns: minmax(0, 3fr) minmax(18rem, 2fr); } }
.stage {
  display: grid; place-items: center; background: var(--shell); color: var(--shell-ink); border-radius: var(--radius);
  position: relative; overflow: hidden; aspect-ratio: 16 / 9; max-height: 70vh; width: 100%;
}
.stage.tall { aspect-ratio: 1; }
.stage video, .stage img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: contain; display: block; background: #000; }
.stage.waiting { align-content: center; gap: var(--s2); padding: var(--s3); text-align: center; background: var(--code); color: var(--ink); }
.stage.waiting p { margin: 0; }
.stage.over { aspect-ratio: 4; }
.stage.corner { position: fixed; z-index: 2; right: var(--s2); bottom: var(--s2); width: clamp(11rem, 30vw, 22rem); max-height: 40vh; box-shadow: 0 2px 16px #0006; }
@media (max-width: 40rem) {
  .stage.corner { left: 0; right: 0; bottom: 0; width: auto; max-height: 30vh; border-radius: 0; }
  :root:has(.stage.corner) { padding-bottom: 30vh; scroll-padding-bottom: 30vh; }
}
.stage .progress { max-width: 20rem; }
.address { display: flex; align-items: center; gap: var(--s2); max-width: 40rem; }
.address code { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.made { display: flex; flex-wrap: wrap; gap: var(--s2); margin-top: var(--s1); }
.made img { display: block; width: auto; height: auto; max-width: 10rem; max-height: 7rem; border-radius: var(--radius); }
.scrubber { position: relative; margin-top: var(--s2); }
.scrubber input { display: block; width: 100%; margin: 0; min-height: 1.5rem; accent-color: var(--accent); touch-action: pan-y; }
.scrubber .glimpse { position: absolute; bottom: 100%; left: 0; z-index: 1; pointer-events: none; background: var(--shell); border-radius: var(--radius); overflow: hidden; }
.scrubber .glimpse i { display: block; background-repeat: no-repeat; }
.scrubber .glimpse b { display: block; padding: 0 var(--s1); text-align: center; font-size: var(--small); font-weight: 400; color: var(--shell-ink); }
.before { color: var(--soft); }
.timeline { margin-top: var(--s4); }
.line { margin-bottom: var(--s2); font-size: var(--small); }
.line svg { display: block; width: 100%; height: 1.5rem; margin-top: var(--s1); cursor: pointer; }
.line .kept { fill: var(--get); fill-opacity: 0.5; }
.line .silence { fill: var(--paper); stroke: var(--soft); stroke-width: 1; vector-effect: non-scaling-stroke; }
.line .filler { fill: var(--busy); fill-opacity: 0.5; }
.line :is(.asked, .text) { fill: var(--bad); fill-opacity: 0.75; }
.line .playhead { stroke: var(--ink); stroke-width: 2; vector-effect: non-scaling-stroke; }
.legend { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s1) var(--s2); font-size: var(--small); max-width: none; }
.legend .soft { margin-left: auto; } .legend .named { display: inline-flex; align-items: center; gap: var(--s2); }
.key { width: 0.875rem; height: 0.875rem; border-radius: 2px; }
.key.kept { background: color-mix(in srgb, var(--get) 50%, var(--paper)); }
.key.silence { border: 1px solid var(--soft); }
.key.filler { background: color-mix(in srgb, var(--busy) 50%, var(--paper)); }
.key:is(.asked, .text) { background: color-mix(in srgb, var(--bad) 75%, var(--paper)); }
details > summary { cursor: pointer; }
.timeline details, .attempt details { font-size: var(--small); margin-bottom: var(--s2); }
.cuts { margin: var(--s2) 0; padding-left: var(--s5); columns: 18rem; }
.frames { margin-top: var(--s4); }
.framed { position: relative; max-width: 44rem; overflow: hidden; border-radius: var(--radius); background: #000; }
.framed video { display: block; width: 100%; height: auto; }
.framed svg { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; }
.framed .outside { fill: #000; fill-opacity: 0.55; fill-rule: evenodd; }
.framed .frame { fill: none; stroke: #fff; stroke-width: 2; vector-effect: non-scaling-stroke; }
.framed .grip { fill: transparent; cursor: grab; pointer-events: all; touch-action: none; } .framed .grip:active { cursor: grabbing; }
.framed.none :is(.outside, .frame, .grip) { display: none; }
.scenes { list-style: none; margin: var(--s3) 0; padding: 0; max-width: 44rem; max-height: 20rem; overflow-y: auto; }
.scenes li { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) auto; gap: var(--s1) var(--s2); align-items: center; padding: var(--s1) 0; border-top: 1px solid var(--line); font-variant-numeric: tabular-nums; }
.scenes li.now { background: var(--tint); }
.frames .measured { display: inline-flex; align-items: center; gap: var(--s2); }
.frames .measured .input { width: 6rem; }
.frames .row { margin-top: var(--s2); }
@media (max-width: 40rem) { .scenes li { grid-template-columns: minmax(0, 1fr) auto; } .scenes li > span { grid-column: 1 / -1; } }
.moments { margin-top: var(--s4); }
.moments ol, .moments ul { list-style: none; margin: 0; padding: 0; }
.clips { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 16rem), 1fr)); gap: var(--s4) var(--s3); }
.clips > li { display: flex; flex-direction: column; gap: var(--s1); min-width: 0; border-top: 1px solid var(--line); padding-top: var(--s2); }
.clips video { display: block; width: 100%; aspect-ratio: 16 / 9; background: #000; border-radius: var(--radius); }
.clips h3 { margin: var(--s1) 0 0; font-size: var(--large); overflow-wrap: anywhere; }
.clips p { margin: 0; font-size: var(--small); font-variant-numeric: tabular-nums; }
.clips ul { font-size: var(--small); color: var(--soft); overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  .clips { grid: auto / auto-flow 80%; overflow-x: auto; scroll-snap-type: x mandatory; padding-bottom: var(--s2); }
  .clips > li { scroll-snap-align: start; }
}
.clips ul li::before { content: "· "; }
.clips .do { display: flex; gap: var(--s2); margin-top: auto; padding-top: var(--s2); }
.chapters { columns: 20rem; column-gap: var(--s4); }
.chapters li { display: grid; grid-template-columns: 4rem minmax(0, 1fr); gap: var(--s2); padding: var(--s1) 0; break-inside: avoid; font-variant-numeric: tabular-nums; }
.said { max-height: 28rem; overflow-y: auto; }
.said ol { list-style: none; margin: 0; padding: 0; }
.said ol + ol { content-visibility: auto; contain-intrinsic-size: auto 45rem; }
.said li { display: grid; grid-template-columns: 3.5rem minmax(0, 1fr); gap: var(--s2); padding: var(--s1) 0 var(--s1) var(--s2); }
.said li p { margin: 0; max-width: 44rem; font-size: var(--large); }
.said li > a { font-size: var(--small); line-height: 1.7; color: var(--soft); }
.search-said .input { flex: 1 1 8rem; max-width: 18rem; } .search-said output { font-size: var(--small); font-variant-numeric: tabular-nums; }
.said li.found { background: var(--tint); box-shadow: inset 3px 0 var(--accent); }
.said [data-at] { border-radius: 3px; }
@media (scripting: enabled) { .said [data-at] { cursor: pointer; } .said [data-at]:hover { background: var(--tint); } }
.said [data-at].now { background: color-mix(in srgb, var(--accent) 24%, transparent); }
@media (scripting: enabled) { .who:not(:hover, :focus-visible) { text-decoration: none; color: inherit; } }
.said .input.who { display: inline-block; width: auto; min-height: 0; padding: 0 var(--s1); font: inherit; }
.speakers { margin-bottom: var(--s2); max-width: 44rem; }
.speakers summary { width: auto; overflow-wrap: anywhere; }
.speakers form { display: grid; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); place-items: end start; margin-bottom: var(--s2); }
.speakers .field { width: 100%; }
.speakers .fault { grid-column: 1 / -1; }
.speakers .fault { color: var(--bad); } .speakers .fault:empty { display: none; }
.tags { display: flex; flex-wrap: wrap; gap: var(--s1); list-style: none; margin: var(--s3) 0; padding: 0; }
.tags li { padding: 0.125rem var(--s2); border: 1px solid var(--line); border-radius: 99px; font-size: var(--small); overflow-wrap: anywhere; }
.found > p:first-child { font-size: var(--large); }
.attempt { margin-bottom: var(--s4); }
.attempt h3 { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s3); align-items: baseline; }
.attempt h3 .soft { font-weight: 400; font-size: var(--small); }
.axis { list-style: none; margin: 0 0 var(--s3); padding: 0; max-width: 52rem; }
.axis li { display: grid; grid-template-columns: 7rem minmax(0, 1fr) 4.5rem; gap: var(--s2); align-items: center; font-size: var(--small); }
.axis svg { width: 100%; height: 0.75rem; background: var(--tint); border-radius: 2px; }
.axis .bar { fill: var(--busy); } .axis .bar.beside { fill: var(--head); }
.parts { margin-bottom: var(--s3); max-width: 52rem; font-size: var(--small); }
.parts p { margin: 0 0 var(--s1); }
.parts svg { display: block; width: 100%; height: 0.75rem; }
.parts .own { fill: var(--busy); } .parts .stored { fill: var(--head); } .parts .running { fill: var(--head); fill-opacity: 0.5; }
.parts .failed { fill: var(--bad); } .parts .stopped { fill: var(--soft); }
`
