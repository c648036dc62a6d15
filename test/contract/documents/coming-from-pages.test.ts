import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Element } from '../../../worker/contract/options/elements.ts'
import type { OptionName } from '../../../worker/contract/options/options.ts'
import { describeApi } from '../../../worker/reference/openapi/document.ts'

const folder = new URL('../../../docs/coming-from/', import.meta.url)
const pages = readdirSync(folder).map((file) => ({
  file,
  text: readFileSync(new URL(file, folder), 'utf8'),
}))

/** How these guides would name what an option or a kind of element does. A new one needs its words here. */
const named: Record<Exclude<OptionName, 'elements'> | Element['type'], RegExp> = {
  analyzeOnly: /suggestions/,
  combine: /joining|concat|merg/,
  removeSilence: /silence|pauses/,
  normalizeAudio: /loudness|normali[sz]/,
  removeNoise: /noise/,
  enableTranscription: /transcri|speech/,
  enableAiAnalysis: /tags|summar|recogni/,
  enableThumbnail: /thumbnails?\b(?! of any moment)/,
  outputFormat: /\b(mp4|mov|avi|webm)\b|formats/,
  compressionQuality: /quality|compress/,
  outputs: /renditions|versions|several|formats/,
  split: /parallel|accelerat|turbo/,
  rotate: /rotat|turning/,
  aspectRatio: /aspect|crop/,
  resizeMode: /resiz/,
  backgroundColor: /bars|padding/,
  background: /sound alone|audio.only|podcast/,
  waveform: /waveforms?/,
  captions: /caption|subtitle/,
  removeSegments: /cutting|trim/,
  removeText: /\bwords\b/,
  keepText: /by text/,
  removeFillers: /filler/,
  image: /watermark|logo|overlay/,
  gif: /gifs? on|animated/,
  video: /picture.in.picture|video on top/,
  audio: /music|soundtrack/,
  text: /\btexts?\b|titles|letters/,
}

/** What a page says Spool lacks: its list without the entry about what only Spool has. */
function denialsOf(text: string): string {
  const [, section = ''] = text.split('\n## What has no counterpart\n')
  const entries = section.split(/\n(?=- )/).map((entry) => entry.split('\n\n')[0] ?? '')
  return entries
    .filter((entry) => entry.startsWith('- ') && !entry.startsWith('- The other way'))
    .join('\n')
    .toLowerCase()
}

/** Every name in a schema of the API, at any depth. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(key === 'properties' ? Object.keys(inner as object) : []),
    ...namesIn(inner),
  ])
}

describe.each(pages)('docs/coming-from/$file', ({ text }) => {
  it('denies nothing that an option or an element does', () => {
    const denials = denialsOf(text)
    expect(denials).toMatch(/^- /)
    const denied = Object.entries(named).filter(([, words]) => words.test(denials))
    expect(denied.map(([name]) => name)).toEqual([])
  })

  it('names only fields that there are', () => {
    const known = new Set(namesIn(describeApi('0.1.0', 'https://spool.example.com').components))
    const [, table = ''] = text.split('\n## What is called what\n')
    const rows = (table.split('\n## ')[0] ?? '').split('\n').filter((row) => row.startsWith('|'))
    const ours = rows.flatMap((row) => [...(row.split(/(?<!\\)\|/)[2] ?? '').matchAll(/`(\w+)`/g)])
    const fields = ours.map(([, name = '']) => name).filter((name) => /[a-z][A-Z]/.test(name))
    expect(fields.length).toBeGreaterThan(3)
    expect(fields.filter((name) => !known.has(name))).toEqual([])
  })
})
