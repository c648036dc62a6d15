export const compareStyle = `
.page > .brand { margin-bottom: var(--s4); }
.pictures { display: grid; gap: var(--s3); }
.pictures + section { margin-top: var(--s4); }
.pictures figure { margin: 0; position: relative; }
.pictures :is(video, img, canvas) { display: block; width: 100%; aspect-ratio: 16 / 9; max-height: 66vh; object-fit: contain; background: #000; border-radius: var(--radius); }
.pictures audio { width: 100%; }
.pictures figcaption { font-size: var(--small); font-weight: 500; margin-bottom: var(--s1); }
.controls { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s2) var(--s4); margin: var(--s3) 0; }
.controls output { min-width: 13rem; }
.controls fieldset { display: flex; gap: var(--s2); align-items: center; border: 0; margin: 0; padding: 0; }
.controls label { display: inline-flex; align-items: center; gap: var(--s1); min-height: 1.75rem; }
.shown { position: relative; }
.part { position: absolute; inset: 0; width: 100%; height: 100%; pointer-events: none; } .part.none { display: none; }
.part .outside { fill: #000; fill-opacity: 0.5; fill-rule: evenodd; } .part .frame { fill: none; stroke: #fff; stroke-width: 2; vector-effect: non-scaling-stroke; }
#note:empty, #moved:empty { display: none; } #note, #moved { margin: var(--s2) 0 0; }
#play { min-width: 5.5rem; }
.lanes { position: relative; display: grid; gap: 2px; margin-top: var(--s3); }
.lane p { margin: 0; font-size: var(--small); max-width: none; }
.lane > svg { display: block; width: 100%; height: 4.5rem; background: var(--tint); }
.lane path { fill: var(--soft); } .lane.result path { fill: var(--good); }
.cut { fill: url(#hatch); } #hatch .ground { fill: var(--bad); fill-opacity: 0.12; } #hatch .stroke { fill: var(--bad); fill-opacity: 0.65; }
.lane .warned { fill: var(--busy); fill-opacity: 0.35; } .lane .failed { fill: var(--bad); fill-opacity: 0.35; }
.lane text { fill: var(--ink); font: 600 var(--small) var(--sans); paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
.legend { display: flex; flex-wrap: wrap; align-items: center; gap: var(--s1) var(--s2); font-size: var(--small); max-width: none; margin: var(--s2) 0 var(--s4); }
.key { width: 1.5rem; height: 0.875rem; border-radius: 2px; flex: none; }
.checks { padding-left: var(--s4); margin: 0 0 var(--s2); } .checks li { margin-bottom: var(--s3); overflow-wrap: anywhere; }
#levels .table { max-width: 40rem; } #levels { margin-bottom: var(--s4); } #how-measured { margin-top: var(--s2); }
.wipe, .moment { appearance: none; position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: ew-resize; touch-action: pan-y; }
.moment { cursor: pointer; }
:is(.wipe, .moment)::-webkit-slider-runnable-track { height: 100%; }
:is(.wipe, .moment)::-webkit-slider-thumb { appearance: none; width: 1px; height: 100%; }
:is(.wipe, .moment)::-moz-range-thumb { width: 1px; height: 100%; border: 0; }
.edge, .playhead { position: absolute; top: 0; bottom: 0; left: var(--at, 0%); width: 2px; margin-left: -1px; background: var(--accent); pointer-events: none; }
.edge { left: var(--at, 50%); background: #fff; box-shadow: 0 0 0 1px rgb(0 0 0 / 0.5); }
.edge::after {
  content: '↔'; position: absolute; top: 50%; left: 50%; transform: translate(-50%, -50%); width: 2.25rem; height: 2.25rem; display: grid; place-items: center;
  font-style: normal; color: #1f1d1a; background: #fff; border-radius: 50%; box-shadow: 0 0 0 1px rgb(0 0 0 / 0.5);
}
.pictures:has(.wipe:focus-visible) .edge::after, .lanes:has(.moment:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
.pictures:is(.beside, .alone) :is(.edge, .wipe) { display: none; }
.pictures .failed { display: none; }
@media (scripting: enabled) {
  .pictures.sounds { display: none; }
  .pictures.lined:not(.beside) { position: relative; width: 100%; aspect-ratio: 16 / 9; max-height: 66vh; background: #000; border-radius: var(--radius); overflow: hidden; }
  .pictures.lined.tall:not(.beside) { aspect-ratio: 1; }
  .pictures.lined:not(.beside) figure { position: absolute; inset: 0; }
  .pictures.lined:not(.beside) .shown { height: 100%; }
  .pictures.lined:not(.beside) :is(video, img, canvas) { height: 100%; max-height: none; aspect-ratio: auto; border-radius: 0; }
  .pictures.lined:not(.beside, .alone) .result { clip-path: inset(0 0 0 var(--at, 50%)); }
  .pictures.lined:not(.beside) figcaption {
    position: absolute; z-index: 1; top: var(--s2); left: var(--s2); margin: 0; padding: 0 var(--s2); color: #fff; background: rgb(0 0 0 / 0.65); border-radius: 4px;
  }
  .pictures.lined:not(.beside) .result figcaption { left: auto; right: var(--s2); }
}
@media (min-width: 40rem) { .pictures.beside { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
`
