import { escapeHtml } from '../../machine/escape-html.ts'
import { sizeText } from '../../../client/src/cli/terminal/quantities.ts'
import path from 'node:path'
import { readFileSync } from 'node:fs'
import { baseStyle } from '../../../worker/reference/pages/base-style.ts'
import type { Cut, DemoData, Made, Phase, Word } from '../demo-data.ts'
import { drawSound } from './draw-sound.ts'

const player = readFileSync(path.join(import.meta.dirname, 'player.js'), 'utf8')

/** The whole page in one file; the media are beside it. */
export function demoPage(data: DemoData): string {
  const { before, after, made, webhook, madeAt } = data
  const [, ...others] = made
  const longest = Math.max(before.sound.seconds, after.sound.seconds)
  const { cuts, words, phases } = after
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Before and after — Spool</title><style>${baseStyle}${demoStyle}</style></head>
<body><main>
<header><h1>Before and after</h1>${summarise(data)}</header>
<section><div class="pair">${showPlayers(data)}</div>
<button type="button" class="switch">Switch between before and after</button></section>
<section><h2>Sound</h2>
<div class="lane" id="sound-before"><span>Before</span>${drawSound(before.sound, { longest, cuts, label: 'Waveform and loudness before' })}</div>
<div class="lane" id="sound-after"><span>After</span>${drawSound(after.sound, { longest, label: 'Waveform and loudness after' })}</div>
<ul class="legend"><li><i class="l-cut"></i>cut out</li><li><i class="l-loud"></i>loudness</li><li><i class="l-target"></i>−16 LUFS</li></ul></section>
<section><h2>What is said</h2><p class="said">${showTranscript(words, cuts)}</p></section>
<section><h2>The same clip, otherwise</h2><div class="others">${showOthers(others)}</div></section>
<section><h2>The work</h2>${showPhases(phases)}</section>
<section><h2>The webhook</h2>${showWebhook(webhook)}</section>
</main><footer>Made by <code>npm run demo</code>, ${escapeHtml(madeAt.slice(0, 16).replace('T', ' '))} UTC</footer>
<script type="application/json" id="data">${jsonFor({ cuts, longest, words })}</script>
<script type="module">${player}</script></body></html>
`
}

function summarise({ before, after }: DemoData): string {
  const cut = after.cuts.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0)
  const rise = `${loudnessText(before.sound.integrated)} to ${loudnessText(after.sound.integrated)}`
  return `<p><strong>${secondsText(cut)}</strong> of pauses are cut, background noise is taken out, and the sound went from <strong>${rise}</strong>. What is said was written down, with the time of every word.</p>`
}

function showPlayers({ before, after, made }: DemoData): string {
  const [talk] = made
  const poster = after.poster === undefined ? '' : ` poster="${escapeHtml(after.poster)}"`
  const size = talk?.video.videoMetadata?.sizeInBytes ?? 0
  return [
    showPlayer(
      'before',
      'Before',
      `src="${escapeHtml(before.file)}"`,
      factsOf(before.sound, before.sizeInBytes),
    ),
    showPlayer(
      'after',
      'After',
      `src="${escapeHtml(talk?.file ?? '')}"${poster}`,
      factsOf(after.sound, size),
    ),
  ].join('')
}

function factsOf({ seconds, integrated }: { seconds: number; integrated: number }, bytes: number) {
  return `${secondsText(seconds)} · ${loudnessText(integrated)} · ${sizeText(bytes)}`
}

function showPlayer(id: string, label: string, source: string, facts: string): string {
  return `<figure><figcaption>${label}<span class="facts">${facts}</span></figcaption><video id="${id}" controls playsinline preload="auto" ${source}></video></figure>`
}

function showOthers(made: readonly Made[]): string {
  return made
    .map(({ key, title, about, request, video, file }) => {
      const { width, height, duration, sizeInBytes } = video.videoMetadata ?? {}
      const facts = `${width}×${height}, ${secondsText(duration ?? 0)}, ${sizeText(sizeInBytes ?? 0)}`
      return `<article class="made ${key}"><div class="frame"><video controls playsinline preload="metadata" src="${escapeHtml(file)}#t=1"></video></div>
<div><h3>${escapeHtml(title)}</h3><p>${escapeHtml(about)}</p><p class="facts">${facts}</p>
<details><summary>The request</summary><pre>${escapeHtml(JSON.stringify(request, null, 2))}</pre></details></div></article>`
    })
    .join('')
}

/** Each part of the work as a bar on one axis: some of it happens at the same time. */
function showPhases(phases: readonly Phase[]): string {
  const end = Math.max(0.001, ...phases.map(({ startSeconds, seconds }) => startSeconds + seconds))
  const rows = phases.map(({ name, startSeconds, seconds }) => {
    const x = ((startSeconds / end) * 100).toFixed(2)
    const bar = Math.max(0.6, (seconds / end) * 100).toFixed(2)
    return `<tr><th scope="row">${escapeHtml(name)}</th><td class="bar"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect x="${x}" width="${bar}" height="8"/></svg></td><td>${seconds.toFixed(2)} s</td></tr>`
  })
  return `<table class="phases">${rows.join('')}</table>`
}

function showWebhook(webhook: DemoData['webhook']): string {
  if (!webhook) {
    return '<p>No webhook was asked for: the service runs elsewhere and cannot reach this machine.</p>'
  }
  return `<p class="good"><span aria-hidden="true">✓</span> The webhook <code>${escapeHtml(webhook.type)}</code> arrived, and its signature is right.</p>
<dl class="headers"><dt>webhook-id</dt><dd><code>${escapeHtml(webhook.id)}</code></dd><dt>webhook-signature</dt><dd><code>${escapeHtml(webhook.signature)}</code></dd></dl>`
}

/** What is said in the finished video, with a mark where something was cut. Words can be clicked. */
export function showTranscript(words: readonly Word[], cuts: readonly Cut[]): string {
  const marks = cuts.toSorted((a, b) => a.resultTime - b.resultTime)
  const shown: string[] = []
  for (const word of words) {
    // The middle of a word tells on which side of a cut it is, however exactly its ends are known.
    const middle = (word.startTime + word.endTime) / 2
    while (marks[0] && marks[0].resultTime <= middle) shown.push(showCut(marks.shift()))
    shown.push(
      `<button type="button" class="word" data-time="${word.startTime}" data-end="${word.endTime}">${escapeHtml(word.text.trim())}</button>`,
    )
  }
  return [...shown, ...marks.map(showCut)].join(' ')
}

function showCut(cut: Cut | undefined): string {
  if (!cut) return ''
  const length = secondsText(cut.endTime - cut.startTime)
  return `<span class="snip" title="${length} were cut here"><span aria-hidden="true">✂</span> ${length}</span>`
}

/** JSON that can stand in a script element: nothing in it ends the element. */
function jsonFor(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

function secondsText(seconds: number): string {
  return `${seconds.toFixed(1)} s`
}

/** With a real minus sign, which is as wide as a digit. */
function loudnessText(lufs: number): string {
  return `${lufs.toFixed(1).replace('-', '−')} LUFS`
}

/** What this page has besides the style of all pages. */
const demoStyle = `
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
