import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { valuesOf } from '../../../worker/contract/answers/wording.ts'
import { element } from '../../../worker/contract/options/elements/elements.ts'
import { processingOptions } from '../../../worker/contract/options/options.ts'
import { output } from '../../../worker/contract/options/outputs/outputs.ts'
import { outputFormats } from '../../../worker/contract/options/picture/picture-fields.ts'
import { describeApi } from '../../../worker/reference/openapi/document.ts'

const folder = new URL('../../../docs/coming-from/', import.meta.url)
const pages = readdirSync(folder).map((file) => ({
  file,
  text: readFileSync(new URL(file, folder), 'utf8'),
}))

/**
 * How these guides would name what a field, a kind of element or a format of an output does. Words of a name that is not in the
 * API yet hold as soon as it is; a new option, element or format needs its words here.
 */
const words: Readonly<Record<string, RegExp>> = {
  analyzeOnly: /suggestions/,
  combine: /joining|concat|merg/,
  removeSilence: /silence|pauses/,
  normalizeAudio: /loudness|normali[sz]/,
  removeNoise: /noise/,
  enableTranscription: /transcri|speech to text/,
  enableAiAnalysis: /tags|summar|recogni/,
  enableThumbnail: /thumbnails?\b/,
  outputFormat: /\b(mp4|mov|avi|webm)\b|formats/,
  compressionQuality: /quality|compress/,
  outputs: /renditions|versions|several results|not videos/,
  split: /parallel|accelerat|turbo/,
  rotate: /rotat|turning/,
  crop: /\bcrop/,
  color: /\bluts?\b|brightness|contrast|saturation|colou?r (correction|grading)/,
  flip: /\bflip|mirror/,
  fadeIn: /\bfad(e|ing)/,
  fadeOut: /\bfad(e|ing)/,
  aspectRatio: /aspect|other shapes|shape of/,
  resizeMode: /resiz/,
  reframe: /faces?\b|smart.?crop|reframing/,
  backgroundColor: /bars|padding/,
  background: /sound alone|audio.only|podcast/,
  waveform: /waveforms?/,
  captions: /caption|subtitle/,
  removeSegments: /cutting|trim/,
  keepSegments: /keeping (parts|segments)/,
  trim: /trim/,
  removeText: /\bwords\b/,
  keepText: /by text/,
  removeFillers: /filler/,
  speakers: /speakers/,
  keepSpeakers: /speakers/,
  removeSpeakers: /speakers/,
  blurFaces: /blur(ring)? (of )?faces|face blur/,
  bleep: /bleep|profanity/,
  bleepWith: /bleep|profanity/,
  vocabulary: /vocabulary|keyterm|word.?boost/,
  suggestClips: /highlights|moments|suggested clips/,
  clips: /highlights|moments|suggested clips/,
  chapters: /chapters/,
  destinations: /(?<!speak |but )\bs3\b|buckets?\b|a result is a link/,
  values: /\btemplates?\b|merge fields|placeholders/,
  batchId: /\bbatch|in bulk/,
  speed: /\bspeed\b|slow motion|time.?lapse/,
  cutTransition: /transitions?\b|cross-?fade|wipes?\b/,
  transition: /transitions?\b|cross-?fade|wipes?\b/,
  stabilize: /stabili/,
  audio: /\bmut(e|ing)\b|volume of the film/,
  replaceUrl: /other sound|volume of/,
  chromaKey: /chroma|green screen/,
  cornerRadius: /rounded corners/,
  enter: /moving elements|slide in/,
  motion: /ken burns|slide ?shows?|pictures (as|that become)/,
  'element image': /watermark|logo|overlay/,
  'element gif': /gifs? on|animated/,
  'element video': /picture.in.picture|video on top/,
  'element audio': /music|soundtrack/,
  'element text': /\btexts?\b|titles|letters/,
  'element blur': /\bblur/,
  'format mp3': /\bmp3\b|sound alone|audio files/,
  'format m4a': /\bm4a\b|\baac\b/,
  'format wav': /\bwav\b/,
  'format flac': /\bflac\b/,
  'format ogg': /\bogg\b|\bopus\b/,
  'format gif': /\bgifs?\b/,
  'format webp': /\bwebp\b/,
  'format jpg': /\bjpe?g\b|of any moment|pictures? of a (film|video)|screenshots of a video/,
  'format png': /\bpng\b/,
  'format sprite': /storyboard|sprite/,
  'format hls': /\bhls\b|streaming/,
}

const { components } = describeApi('0.1.0', 'https://spool.example.com')

/** What the words above can be about, as the schemas of requests have it. */
const kinds = element.options.flatMap(({ shape }) =>
  valuesOf(shape.type).map((kind) => `element ${kind}`),
)
const formats = valuesOf(output.shape.outputFormat).map((format) => `format ${format}`)
const films = outputFormats.map((format) => `format ${format}`)
const optionNames = Object.keys(processingOptions).filter((name) => name !== 'elements')
const mustHaveWords = [...optionNames, ...kinds, ...formats.filter((one) => !films.includes(one))]

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

/** Names of fields and options that there are now. */
const existing = new Set([...namesIn(components), ...kinds, ...formats])

it('has words for every option, every kind of element and every format', () => {
  expect(formats).toContain('format hls')
  expect(mustHaveWords.filter((name) => !(name in words))).toEqual([])
})

describe.each(pages)('docs/coming-from/$file', ({ text }) => {
  it('denies nothing that an option or an element does', () => {
    const denials = denialsOf(text)
    expect(denials).toMatch(/^- /)
    const denied = Object.entries(words).filter(
      ([name, said]) => existing.has(name) && said.test(denials),
    )
    expect(denied.map(([name]) => name)).toEqual([])
  })

  it('names only fields that there are', () => {
    const known = new Set(namesIn(components))
    const [, table = ''] = text.split('\n## What is called what\n')
    const rows = (table.split('\n## ')[0] ?? '').split('\n').filter((row) => row.startsWith('|'))
    const ours = rows.flatMap((row) => [...(row.split(/(?<!\\)\|/)[2] ?? '').matchAll(/`(\w+)`/g)])
    const fields = ours.map(([, name = '']) => name).filter((name) => /[a-z][A-Z]/.test(name))
    expect(fields.length).toBeGreaterThan(3)
    expect(fields.filter((name) => !known.has(name))).toEqual([])
  })
})
