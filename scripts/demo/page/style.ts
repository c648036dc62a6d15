/** What this page has besides the style of all pages. */
export const demoStyle = `
main { max-width: 76rem; margin: 0 auto; padding: clamp(1.5rem, 5vw, 3.5rem) clamp(1rem, 4vw, 2.5rem) 3rem; }
header p { font-size: 1.15rem; color: var(--soft); max-width: 48rem; }
header strong { color: var(--ink); font-weight: 650; }
section { margin-top: 3rem; }
h2 { font-size: 1.35rem; margin: 0 0 1rem; }
h3 { font-size: 1.05rem; margin: 0 0 0.35rem; }
video { display: block; width: 100%; background: #000; border-radius: 6px; }
.pair { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); }
figure { margin: 0; }
figcaption { display: flex; align-items: baseline; gap: 0.75rem; margin-bottom: 0.5rem; font-weight: 650; }
.facts { color: var(--soft); font-size: 0.9rem; font-weight: 400; font-variant-numeric: tabular-nums; margin: 0 0 0.5rem; }
figcaption .facts { margin: 0; }
.switch {
  font: inherit; font-size: 0.9375rem; color: var(--ink); background: var(--card); border: 1px solid var(--line);
  border-radius: 6px; padding: 0.45rem 0.9rem; margin-top: 1rem; cursor: pointer;
}
.switch:hover { border-color: var(--soft); }
.lane { display: grid; grid-template-columns: 4.5rem 1fr; gap: 0.75rem; align-items: center; margin-bottom: 0.75rem; }
.lane > span { color: var(--soft); font-size: 0.9rem; }
.sound { display: block; width: 100%; height: 7rem; cursor: pointer; overflow: visible; }
.sound .bed { fill: var(--code); }
.sound .wave { stroke: var(--soft); stroke-width: 1.4; vector-effect: non-scaling-stroke; opacity: 0.75; fill: none; }
.sound .cut { fill: var(--delete); opacity: 0.22; }
.sound .loudness { fill: none; stroke: var(--accent); stroke-width: 2; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
.sound .target { stroke: var(--get); stroke-width: 1; stroke-dasharray: 5 4; vector-effect: non-scaling-stroke; }
.sound .playhead { stroke: var(--ink); stroke-width: 2; vector-effect: non-scaling-stroke; }
.legend { display: flex; flex-wrap: wrap; gap: 0.35rem 1.25rem; color: var(--soft); font-size: 0.9rem; margin: 0; padding: 0; list-style: none; }
.legend i { display: inline-block; width: 1.4rem; height: 0.7rem; margin-right: 0.4rem; border-radius: 2px; vertical-align: baseline; }
.legend .l-cut { background: color-mix(in srgb, var(--delete) 25%, transparent); }
.legend .l-loud { height: 3px; background: var(--accent); vertical-align: middle; }
.legend .l-target { height: 0; border-top: 2px dashed var(--get); border-radius: 0; vertical-align: middle; }
.said { line-height: 2.1; max-width: 52rem; font-size: 1.0625rem; }
.word { font: inherit; color: inherit; background: none; border: 0; padding: 0.1rem 0; margin: 0; border-radius: 4px; cursor: pointer; }
.word:hover { background: var(--code); }
.word.now { background: var(--accent); color: var(--on-accent); }
.snip { color: var(--delete); font-size: 0.85rem; white-space: nowrap; font-variant-numeric: tabular-nums; }
.others { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); }
.made { display: grid; gap: 1rem; grid-template-columns: minmax(0, 13rem) 1fr; align-items: start; border-top: 1px solid var(--line); padding-top: 1rem; }
.made .frame { background: #000; border-radius: 6px; overflow: hidden; }
.made video { height: 14rem; object-fit: contain; border-radius: 0; }
.made p { margin-bottom: 0.35rem; }
details { margin-top: 0.5rem; } summary { cursor: pointer; color: var(--accent); }
pre { background: var(--code); border-radius: 6px; padding: 0.75rem; overflow-x: auto; margin: 0.5rem 0 0; }
.phases { border-collapse: collapse; width: 100%; max-width: 46rem; font-size: 0.9375rem; font-variant-numeric: tabular-nums; }
.phases th { text-align: left; font-weight: 400; padding: 0.25rem 1rem 0.25rem 0; width: 8rem; }
.phases td:last-child { text-align: right; padding-left: 1rem; white-space: nowrap; color: var(--soft); }
.phases svg { display: block; width: 100%; height: 0.7rem; background: var(--code); border-radius: 3px; }
.phases rect { fill: var(--accent); }
.good { color: var(--get); font-weight: 600; }
.headers { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.25rem 1rem; margin: 0; font-size: 0.9rem; }
.headers dt { color: var(--soft); } .headers dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 34rem) {
  .lane { grid-template-columns: 1fr; gap: 0.25rem; }
  .sound { height: 5rem; }
  .made { grid-template-columns: 1fr; }
  .headers { grid-template-columns: 1fr; } .headers dd { margin-bottom: 0.5rem; }
}
`
