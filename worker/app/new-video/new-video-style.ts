/** The styles that only this page needs. */
export const newVideoStyle = `
.compose { display: grid; grid-template-columns: minmax(0, 1fr); gap: var(--s4); margin: 0; }
.compose fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
.compose legend, .compose h3 { font-weight: 600; font-size: var(--text); padding: 0; margin: 0 0 var(--s2); letter-spacing: 0; }
.field.choice > legend { font-weight: 500; margin-bottom: var(--s1); }
.ask > * + * { margin-top: var(--s4); }
.chips { display: flex; flex-wrap: wrap; gap: var(--s2); }
.chip {
  display: inline-flex; align-items: center; gap: 0.375rem; min-height: 2.25rem; padding: 0 0.75rem; cursor: pointer;
  border: 1px solid var(--line); border-radius: 99px; background: var(--card); color: var(--soft);
}
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(7rem, 1fr)); gap: var(--s2); }
.card {
  display: flex; flex-direction: column; align-items: center; padding: var(--s2); cursor: pointer; text-align: center;
  border: 1px solid var(--line); border-radius: var(--radius); background: var(--card); color: var(--soft); overflow-wrap: anywhere;
}
.card svg { max-width: 100%; height: auto; fill: none; stroke-linecap: round; stroke-width: 2; }
.card .ink, .card .frame-line { stroke: currentColor; } .card .line { stroke: var(--line); } .card .dashed { stroke-dasharray: 3 4; }
.card .knob { stroke: currentColor; stroke-width: 7; } .card .accent { stroke: var(--accent); stroke-width: 3; }
.card .cut { fill: color-mix(in srgb, var(--bad) 18%, transparent); stroke: var(--bad); stroke-width: 1; stroke-dasharray: 2 3; }
.card:hover, .chip:hover { border-color: var(--soft); color: var(--ink); }
.card:has(:checked), .chip:has(:checked) { border-color: var(--accent); color: var(--ink); box-shadow: inset 0 0 0 1px var(--accent); }
.card:has(:focus-visible), .chip:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
.card input, .chip input { position: absolute; opacity: 0; width: 1px; height: 1px; }
.source-panel { display: none; margin-top: var(--s3); }
#source:has([value=upload]:checked) [data-source=upload],
#source:has([value=address]:checked) [data-source=address],
#source:has([value=several]:checked) [data-source=several],
#source:has([value=again]:checked) [data-source=again] { display: block; }
.drop {
  display: flex; flex-direction: column; align-items: center; justify-content: center; gap: var(--s2); min-height: 7rem;
  padding: var(--s3); text-align: center; border: 1.5px dashed color-mix(in srgb, var(--soft) 60%, var(--line));
  border-radius: var(--radius); color: var(--soft);
}
.drop p { margin: 0; }
.drop:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
.drop.over { border-color: var(--accent); background: var(--tint); }
.sending { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: var(--s1) var(--s3); align-items: center; padding: var(--s2) var(--s3); border: 1px solid var(--line); border-radius: var(--radius); background: var(--card); }
.sending > * { margin: 0; } .sending > .progress { grid-column: 1 / -1; grid-row: 2; }
.sending-name { overflow-wrap: anywhere; }
.sending.ready .progress::-webkit-progress-value { background: var(--good); }
.sending.ready .progress::-moz-progress-bar { background: var(--good); }
.sending-state { grid-row: 3; min-height: 1.5em; color: var(--soft); }
.options-group { padding-top: var(--s3); margin-bottom: var(--s4); border-top: 1px solid var(--line); }
.options-group > .fields > * { margin-bottom: var(--s3); max-width: none; }
.field.check { display: grid; grid-template-columns: 1rem minmax(0, 1fr); gap: 0 var(--s2); align-items: start; }
.field.check input { margin-top: 0.25rem; }
.field.check > label { margin: 0; }
.field.check > p { grid-column: 2; margin-top: 0; }
.measured { display: flex; align-items: center; gap: var(--s2); max-width: 12rem; }
.measured .unit { color: var(--soft); }
.input.colour { width: 4rem; padding: 2px; height: 2.25rem; }
.input.colour[type=text] { width: 7.5rem; padding: 0 var(--s2); }
.input.mono { font: var(--small)/1.5 var(--mono); }
.item { margin: 0 0 var(--s3); padding: var(--s3); border: 1px solid var(--line); border-radius: var(--radius); background: var(--card); }
.item:target, .item.marked { border-color: var(--accent); }
.item-head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: var(--s1); margin-bottom: var(--s2); text-transform: capitalize; }
.item-head .button { text-transform: none; }
.list ol { list-style: none; margin: 0; padding: 0; }
.list .item .fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(9rem, 100%), 1fr)); gap: 0 var(--s3); }
[data-list$=removeSegments] > ol > .item { padding: var(--s2) var(--s3) 0; }
[data-list$=removeSegments] .item-head { margin: 0; font-size: var(--small); }
.list .item .fields > :is(.group, .list, .field:has([type=url])) { grid-column: 1 / -1; max-width: none; }
.switched:not(:has(> .check :checked)) > .fields { display: none; }
.switched > .fields { margin: var(--s2) 0 0 1.5rem; }
.options:has([name=aspectRatio][value=original]:checked) :is([id=field-resizeMode], .field:has(> * [name=backgroundColor])) { display: none; }
.options:not(:has([name=resizeMode][value=contain]:checked)) .field:has([name=backgroundColor]) { display: none; }
.group { margin-bottom: var(--s2); }
.group > summary, .keep > summary { cursor: pointer; color: var(--soft); padding: var(--s1) 0; }
.group > summary:hover, .keep > summary:hover { color: var(--ink); }
.group > .hint, .list > .hint { color: var(--soft); font-size: var(--small); margin: 0 0 var(--s2); }
.group > .fields { padding-left: var(--s3); border-left: 2px solid var(--line); }
.fault { color: var(--bad); font-size: var(--small); }
.presets .hint { color: var(--soft); font-size: var(--small); margin: var(--s2) 0 0; min-height: 1.4em; }
.keep .input { width: 12rem; }
#faults ul { margin: var(--s1) 0 0; padding-left: 1.2rem; }
#faults a { font-family: var(--mono); font-size: var(--small); }
.stage {
  display: grid; place-items: center; width: 100%; aspect-ratio: 16 / 10; max-height: min(32rem, 55vh); container-type: size; overflow: hidden;
  border-radius: var(--radius); background: var(--code);
}
.frame {
  --ratio: 1.7778; position: relative; overflow: hidden; background: #000; container-type: size;
  width: min(100cqw, 100cqh * var(--ratio)); aspect-ratio: var(--ratio);
}
.frame:not(.lit) { background: none; border: 1.5px dashed color-mix(in srgb, var(--soft) 60%, var(--line)); }
.frame:not(.lit) video { visibility: hidden; }
.frame video, .frame .bars { position: absolute; left: 50%; top: 50%; width: 100%; height: 100%; transform: translate(-50%, -50%) scale(var(--mirror, 1, 1)) rotate(var(--turn, 0deg)); }
.frame .bars { object-fit: cover; width: 112%; height: 112%; }
.frame.turned video { width: 100cqh; height: 100cqw; }
.frame-empty { position: absolute; inset: 0; display: grid; place-items: center; margin: 0; padding: var(--s3); text-align: center; color: var(--soft); font-size: var(--small); }
.frame.lit .frame-empty { display: none; }
.frame-note { min-height: 1.4em; font-size: var(--small); margin: var(--s1) 0 0; }
.overlays { position: absolute; inset: 0; }
.fade { position: absolute; inset: 0; opacity: 0; pointer-events: none; transition: opacity 0.25s linear; }
.sample { position: absolute; inset: 0; pointer-events: none; }
.sample > div {
  position: absolute; pointer-events: auto; cursor: ns-resize; touch-action: none; user-select: none; left: 50%; transform: translateX(-50%); white-space: pre; text-align: center;
  font: var(--weight) var(--letters)/1.25 var(--family); color: var(--fill);
  background: var(--box); border-radius: 0.2em; padding: var(--down) var(--across); margin-top: calc(-1 * var(--down));
}
.sample > div:empty { opacity: 0; pointer-events: none; }
.sample > div:hover { outline: 1.5px dashed rgb(255 255 255 / 0.5); }
.sample > div:focus-visible { outline: 3px solid var(--accent); }
.sample p { margin: 0; }
.sample span, .overlay.said span { -webkit-text-stroke: var(--edge, 0) oklch(from currentColor round(down, 1.2 - l) 0 0); paint-order: stroke fill; }
.sample .said { color: var(--word); }
.overlay {
  position: absolute; display: grid; place-items: center; min-width: 1.5rem; min-height: 1.5rem; padding: 0; overflow: visible;
  font: 500 var(--small)/1.2 var(--sans); color: #fff; background: rgb(20 18 16 / 0.55); border: 1.5px solid #fff; border-radius: 2px;
  outline: 1px solid rgb(0 0 0 / 0.6); cursor: move; touch-action: none; user-select: none;
}
.overlay.blurred { background: none; }
.overlay span { max-width: 100%; overflow: hidden; white-space: nowrap; }
.overlay:focus-visible { outline: 3px solid var(--accent); }
.overlay.said { background: none; border: 0; outline: 1.5px dashed rgb(255 255 255 / 0.5); place-items: inherit; min-width: 0; min-height: 0; }
.overlay.said span { display: block; box-sizing: content-box; max-width: none; white-space: pre-wrap; overflow: visible; }
.overlay .grip { position: absolute; right: -0.5rem; bottom: -0.5rem; width: 1rem; height: 1rem; border-radius: 50%; background: #fff; border: 1px solid #000; cursor: nwse-resize; }
.player { margin-top: var(--s2); }
.player .hint { margin: var(--s2) 0 0; color: var(--soft); font-size: var(--small); }
.clock { font-variant-numeric: tabular-nums; min-width: 8.5rem; color: var(--soft); font-size: var(--small); }
.timeline { position: relative; height: 6.5rem; margin-top: var(--s2); }
.film { position: absolute; inset: 1.5rem 0 0; width: 100%; height: 5rem; border-radius: 4px; background: var(--code); }
.timeline .seek { position: absolute; inset: 0 0 auto; width: 100%; margin: 0; height: 1.25rem; accent-color: var(--accent); }
.ranges {
  --shade: color-mix(in srgb, var(--bad) 60%, transparent);
  position: absolute; inset: 1.5rem 0 0; border-radius: 4px;
  cursor: crosshair; touch-action: none; user-select: none;
}
.pauses { position: absolute; inset: 1.5rem 0 0; overflow: hidden; border-radius: 4px; pointer-events: none; }
.pause { position: absolute; top: 0; bottom: 0; border: 1px dashed var(--bad); background: color-mix(in srgb, var(--bad) 12%, transparent); }
.pause.goes { border-style: solid; background: repeating-linear-gradient(135deg, color-mix(in srgb, var(--bad) 60%, transparent) 0 3px, color-mix(in srgb, var(--bad) 25%, transparent) 3px 8px); }
.words { max-height: 9rem; overflow-y: auto; padding: var(--s2); border: 1px solid var(--line); border-radius: var(--radius); background: var(--card); line-height: 1.7; }
.word { font: inherit; color: inherit; background: none; border: 0; border-radius: 3px; padding: 0 0.15em; margin: 0; cursor: pointer; }
.word:hover { background: var(--tint); }
.word.now { text-decoration: underline; text-underline-offset: 0.2em; }
.word[aria-pressed=true] { color: var(--bad); text-decoration: line-through; }
.range {
  position: absolute; top: 0; bottom: 0; cursor: grab;
  background: repeating-linear-gradient(135deg, color-mix(in srgb, var(--bad) 75%, transparent) 0 5px, color-mix(in srgb, var(--bad) 45%, transparent) 5px 10px);
}
.range .edge { position: absolute; top: -2px; bottom: -2px; width: 0.875rem; background: var(--bad); border-radius: 3px; cursor: ew-resize; touch-action: none; }
.range .edge[data-edge=startTime] { left: 0; translate: -50%; } .range .edge[data-edge=endTime] { right: 0; translate: 50%; }
.times { display: grid; gap: 2px; margin-top: 4px; touch-action: none; user-select: none; }
.times .range { position: relative; height: 1.5rem; border-radius: 3px; background: var(--tint); border: 1px solid var(--line); font-size: var(--small); }
.times .range::before { content: attr(data-name); position: sticky; left: 0; padding: 0 0.75rem; line-height: 1.4rem; white-space: nowrap; }
.times .range .edge { background: var(--soft); }
.pairs { display: grid; gap: var(--s1); margin-bottom: var(--s1); }
.pairs .row { flex-wrap: nowrap; } .pairs .input { min-width: 0; flex: 1; }
.request .tabs { margin-top: var(--s3); }
.request textarea { min-height: 12rem; background: var(--code); resize: vertical; }
.request .code pre { max-height: 16rem; }
.bar {
  position: sticky; bottom: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; justify-content: flex-end; gap: var(--s2) var(--s3);
  padding: var(--s2) 0; background: var(--paper); border-top: 1px solid var(--line);
}
.bar p { margin: 0; flex: 1 1 12rem; min-width: 0; overflow-wrap: anywhere; }
html:has(.bar) { scroll-padding-bottom: 6rem; }
@media (max-width: 59.99rem) {
  .compose { display: flex; flex-direction: column; }
  .side, .preview { display: contents; }
  .frame-note:empty { display: none; }
  .stage:has(.lit) {
    position: sticky; top: 0; z-index: 2; aspect-ratio: auto; height: min(13rem, 34vh);
    border-radius: 0 0 var(--radius) var(--radius); box-shadow: 0 0 0 var(--s2) var(--paper);
  }
  html:has(.frame.lit) { scroll-padding-top: min(14rem, 36vh); }
}
@media (scripting: none) { .compose { max-width: 44rem; } }
@media (scripting: enabled) and (min-width: 60rem) {
  .compose { grid-template-columns: minmax(20rem, 27rem) minmax(0, 1fr); grid-template-rows: auto 1fr auto; column-gap: var(--s5); }
  .ask, .options { grid-column: 1; }
  .side { grid-column: 2; grid-row: 1 / span 2; position: sticky; top: var(--s3); align-self: start; max-height: calc(100vh - 6rem); overflow-y: auto; padding: 3px; margin: -3px -3px 5rem; }
  .bar { grid-column: 1 / -1; }
}
`
