import type { DemoData, Made, Phase } from '../demo-data.ts'
import { escape } from './escape.ts'
import { secondsText, sizeText } from './quantities.ts'

export function showOthers(made: readonly Made[]): string {
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
export function showPhases(phases: readonly Phase[]): string {
  const end = Math.max(0.001, ...phases.map(({ startSeconds, seconds }) => startSeconds + seconds))
  const rows = phases.map(({ name, startSeconds, seconds }) => {
    const x = ((startSeconds / end) * 100).toFixed(2)
    const bar = Math.max(0.6, (seconds / end) * 100).toFixed(2)
    return `<tr><th scope="row">${escape(name)}</th><td class="bar"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect x="${x}" width="${bar}" height="8"/></svg></td><td>${seconds.toFixed(2)} s</td></tr>`
  })
  return `<table class="phases">${rows.join('')}</table>`
}

export function showWebhook(webhook: DemoData['webhook']): string {
  if (!webhook) {
    return '<p>No webhook was asked for: the service runs elsewhere and cannot reach this machine.</p>'
  }
  return `<p class="good"><span aria-hidden="true">✓</span> The webhook <code>${escape(webhook.type)}</code> arrived, and its signature is right.</p>
<dl class="headers"><dt>webhook-id</dt><dd><code>${escape(webhook.id)}</code></dd><dt>webhook-signature</dt><dd><code>${escape(webhook.signature)}</code></dd></dl>`
}
