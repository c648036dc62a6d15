import { sizeText } from '../../../client/src/cli/terminal/quantities.ts'
import path from 'node:path'
import { readFileSync } from 'node:fs'
import { baseStyle } from '../../../worker/reference/pages/base-style.ts'
import type { Cut, DemoData, Made, Phase, Word } from '../demo-data.ts'
import { drawSound } from './draw-sound.ts'
import { demoStyle } from './style.ts'

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
</main><footer>Made by <code>npm run demo</code>, ${escape(madeAt.slice(0, 16).replace('T', ' '))} UTC</footer>
<script type="application/json" id="data">${jsonFor({ cuts, longest, words })}</script>
<script type="module">${player}</script></body></html>
`
}

function summarise({ before, after }: DemoData): string {
  const cut = secondsCut(after.cuts)
  const rise = `${loudnessText(before.sound.integrated)} to ${loudnessText(after.sound.integrated)}`
  return `<p><strong>${secondsText(cut)}</strong> of pauses are cut, background noise is taken out, and the sound went from <strong>${rise}</strong>. What is said was written down, with the time of every word.</p>`
}

function secondsCut(cuts: readonly Cut[]): number {
  return cuts.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0)
}

function showPlayers({ before, after, made }: DemoData): string {
  const [talk] = made
  const poster = after.poster === undefined ? '' : ` poster="${escape(after.poster)}"`
  const size = talk?.video.videoMetadata?.sizeInBytes ?? 0
  return [
    showPlayer(
      'before',
      'Before',
      `src="${escape(before.file)}"`,
      factsOf(before.sound, before.sizeInBytes),
    ),
    showPlayer(
      'after',
      'After',
      `src="${escape(talk?.file ?? '')}"${poster}`,
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
      return `<article class="made ${key}"><div class="frame"><video controls playsinline preload="metadata" src="${escape(file)}#t=1"></video></div>
<div><h3>${escape(title)}</h3><p>${escape(about)}</p><p class="facts">${facts}</p>
<details><summary>The request</summary><pre>${escape(JSON.stringify(request, null, 2))}</pre></details></div></article>`
    })
    .join('')
}

/** Each part of the work as a bar on one axis: some of it happens at the same time. */
function showPhases(phases: readonly Phase[]): string {
  const end = Math.max(0.001, ...phases.map(({ startSeconds, seconds }) => startSeconds + seconds))
  const rows = phases.map(({ name, startSeconds, seconds }) => {
    const x = ((startSeconds / end) * 100).toFixed(2)
    const bar = Math.max(0.6, (seconds / end) * 100).toFixed(2)
    return `<tr><th scope="row">${escape(name)}</th><td class="bar"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect x="${x}" width="${bar}" height="8"/></svg></td><td>${seconds.toFixed(2)} s</td></tr>`
  })
  return `<table class="phases">${rows.join('')}</table>`
}

function showWebhook(webhook: DemoData['webhook']): string {
  if (!webhook) {
    return '<p>No webhook was asked for: the service runs elsewhere and cannot reach this machine.</p>'
  }
  return `<p class="good"><span aria-hidden="true">✓</span> The webhook <code>${escape(webhook.type)}</code> arrived, and its signature is right.</p>
<dl class="headers"><dt>webhook-id</dt><dd><code>${escape(webhook.id)}</code></dd><dt>webhook-signature</dt><dd><code>${escape(webhook.signature)}</code></dd></dl>`
}

/** What is said in the finished video, with a mark where something was cut. Words can be clicked. */
export function showTranscript(words: readonly Word[], cuts: readonly Cut[]): string {
  const marks = [...cuts].sort((a, b) => a.resultTime - b.resultTime)
  const shown: string[] = []
  for (const word of words) {
    // The middle of a word tells on which side of a cut it is, however exactly its ends are known.
    const middle = (word.startTime + word.endTime) / 2
    while (marks[0] && marks[0].resultTime <= middle) shown.push(showCut(marks.shift()))
    shown.push(
      `<button type="button" class="word" data-time="${word.startTime}" data-end="${word.endTime}">${escape(word.text.trim())}</button>`,
    )
  }
  return [...shown, ...marks.map(showCut)].join(' ')
}

function showCut(cut: Cut | undefined): string {
  if (!cut) return ''
  const length = secondsText(cut.endTime - cut.startTime)
  return `<span class="snip" title="${length} were cut here"><span aria-hidden="true">✂</span> ${length}</span>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)
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
