import fc from 'fast-check'
import { z } from 'zod'
import {
  anchors,
  easings,
  moves,
} from '../../../worker/contract/options/elements/element-fields.ts'
import { builtInFonts } from '../../../worker/contract/options/captions/fonts.ts'
import { limits } from '../../../worker/contract/limits.ts'
import { processingOptions } from '../../../worker/contract/options/options.ts'
import { fits } from '../../../worker/contract/options/picture/picture-fields.ts'
import { transitionTypes } from '../../../worker/contract/options/picture/transition.ts'

type Body = Record<string, unknown>

type BodyOptions = {
  /** Used for every source: `fileUrl` and `files[].url`. */
  sourceUrl: string
  /** Used for the media of every element. */
  mediaUrl: string
  /** Whether about half of the bodies combine several files. */
  filesToo?: boolean
  /** The webhook address; without it no body has one. */
  webhookUrl?: string
}

/** Any create body that the contract accepts, with every option in every possible form; only `uploadId` is left out. */
export function validBody(options: BodyOptions): fc.Arbitrary<Body> {
  const single = body({ ...requestFields(options), fileUrl: fc.constant(options.sourceUrl) }, [
    'fileUrl',
  ])
  if (!options.filesToo) return single
  const combined = body(
    { ...requestFields(options), combine: fc.constant(true), files: files(options.sourceUrl) },
    ['combine', 'files'],
  )
  return fc.oneof(single, combined)
}

function body(fields: Record<string, fc.Arbitrary<unknown>>, required: string[] = []) {
  return fc.record(fields, { requiredKeys: required, noNullPrototype: true }).map(withOneCut)
}

/** No object names both what is kept and what is removed. */
function withOneCut<Fields extends Body>(fields: Fields): Fields {
  const { removeSegments, keepSegments, ...others } = fields
  if (removeSegments === undefined || keepSegments === undefined) return fields
  return { ...others, keepSegments } as unknown as Fields
}

/** JSON does not distinguish −0 from 0. */
function numbers(min: number, max: number): fc.Arbitrary<number> {
  const edges = fc.constantFrom(min, max)
  const whole = fc.integer({ min: Math.ceil(min), max: Math.floor(max) })
  return fc.oneof(edges, whole, fc.double({ min, max, noNaN: true })).map((value) => value + 0)
}

const seconds = numbers(0, 14_400)

const segment = fc
  .tuple(seconds, numbers(0.01, 600))
  .map(([startTime, length]) => ({ startTime, endTime: startTime + length }))

const segments = fc.array(segment, { maxLength: limits.removeSegments })

const said = fc
  .string({ unit: 'grapheme', maxLength: limits.phraseLength / 4 })
  .map((text) => `${text}a`.slice(-limits.phraseLength))
  .filter((text) => text.isWellFormed())

const phrases = fc.array(
  fc.oneof(said, body({ text: said, occurrence: fc.integer({ min: 1, max: 1e6 }) }, ['text'])),
  { maxLength: 20 },
)

/** The last clip leads nowhere. */
const duration = numbers(0.05, 5)
const withoutMotion = body({ type: fc.constant('none'), duration }, ['type', 'duration'])

function files(url: string) {
  const entry = body(
    {
      ...{ url: fc.constant(url), removeSegments: segments, disableAudio: fc.boolean() },
      volume: numbers(0, 4),
      fit: fc.constantFrom(...fits),
      transition: withoutMotion,
      duration: numbers(0.1, 600),
      motion: fc.constantFrom('none', 'zoom-in', 'zoom-out', 'pan-left', 'pan-right'),
    },
    ['url'],
  )
  return fc.array(entry, { minLength: 1, maxLength: limits.files })
}

const color = fc.tuple(fc.nat(0xffffff), fc.boolean()).map(([value, upper]) => {
  const digits = value.toString(16).padStart(6, '0')
  return `#${upper ? digits.toUpperCase() : digits}`
})

const fade = body({ duration: seconds, easing: fc.constantFrom(...easings) }, ['duration'])

const move = body(
  {
    ...{ type: fc.constantFrom(...moves), duration: seconds },
    easing: fc.constantFrom(...easings),
  },
  ['type', 'duration'],
)

const timing = fc.oneof(
  segment,
  body({ startTime: seconds, entireVideo: fc.boolean() }),
  body({ endTime: numbers(0.01, 14_400), entireVideo: fc.constant(true) }),
)

const offset = fc.oneof(
  fc.constantFrom('0%', '100%', '100.00%', '00%', '99.999999999999999%'),
  fc.tuple(fc.nat(99), fc.nat(9999)).map(([whole, part]) => `${whole}.${part}%`),
)

const position = fc.oneof(
  body({ anchor: fc.constantFrom(...anchors) }),
  body({ x: offset, y: offset }),
)

const length = fc.oneof(
  numbers(1, limits.elementPixels),
  fc.constantFrom('0.001%', '1000%', '1000.000%', '25%', '007%'),
  fc
    .tuple(fc.nat(999), fc.integer({ min: 1, max: 999 }))
    .map(([whole, part]) => `${whole}.${part}%`),
)

const size = body({ width: length, height: length, fit: fc.constantFrom('cover', 'contain') })

function elements(url: string) {
  const shared = {
    url: fc.constant(url),
    timing,
    comment: fc.string({ unit: 'binary', maxLength: 300 }),
  }
  const visual = {
    ...shared,
    position,
    size,
    effects: body({
      ...{ opacity: numbers(0, 1), fadeIn: fade, fadeOut: fade, enter: move, exit: move },
    }),
    zIndex: numbers(-1e9, 1e9),
    rotation: numbers(-360, 360),
    cornerRadius: fc.constantFrom<unknown>(0, 12.5, '0%', '50%'),
    repeat: fc.constant('tile'),
  }
  const ofFile = {
    crop: fc.constantFrom<unknown>({ x: '10%', width: '80%' }, { y: 20, height: 360 }),
    chromaKey: fc.record({ color, similarity: numbers(0.01, 1) }, { requiredKeys: ['color'] }),
  }
  const loop = fc.boolean()
  const duck = fc.oneof(fc.boolean(), fc.record({ amount: numbers(1, limits.duckDb) }))
  const heard = { volume: numbers(0, limits.volume), duck, fadeIn: fade, fadeOut: fade }
  const audioEffects = body(heard)
  const videoEffects = body({ ...heard, opacity: numbers(0, 1) })
  const required = ['type', 'url']
  const element = fc.oneof(
    body({ type: fc.constant('image'), ...visual, ...ofFile }, required),
    body({ type: fc.constant('gif'), ...visual, loop }, required),
    body({ type: fc.constant('video'), ...visual, effects: videoEffects, loop }, required),
    body({ type: fc.constant('audio'), ...shared, effects: audioEffects, loop }, required),
    fc.record({
      ...{ type: fc.constant('blur'), size: fc.record({ width: length, height: length }) },
      ...{ style: fc.constantFrom('blur', 'pixels'), strength: numbers(1, 100) },
    }),
  )
  return fc.array(fc.oneof(element, textElement(visual)), { maxLength: limits.elements })
}

const textColor = fc.constantFrom('#000000', '#ffFFff', '#12345678')

function textElement(visual: Record<string, fc.Arbitrary<unknown>>) {
  const { url: font, ...placed } = visual
  const ofFont = fc.oneof(numbers(0, limits.elementPixels), fc.constantFrom('0%', '12.5%', '100%'))
  const style = {
    font: fc.oneof(fc.constantFrom(...builtInFonts), font ?? fc.constant('Inter')),
    fontSize: length,
    color: textColor,
    background: textColor,
    padding: ofFont,
    outline: body({ color: textColor, width: ofFont }),
    shadow: body({ color: textColor, distance: ofFont, blur: ofFont }),
    align: fc.constantFrom('left', 'center', 'right'),
    lineHeight: numbers(0.5, 4),
  }
  const text = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 300 })
    .filter((value) => value.trim() !== '' && value.isWellFormed())
  const size = body({ width: length, height: length })
  return body({ type: fc.constant('text'), text, ...placed, ...style, size }, ['type', 'text'])
}

const captions = body({
  burn: fc.constant(true),
  embed: fc.boolean(),
  style: fc.constantFrom('plain', 'box', 'karaoke'),
  position: fc.constantFrom('bottom', 'middle', 'top', { y: '70%' }),
  language: fc.constantFrom('en', 'yue'),
  size: length,
  color: textColor,
  highlight: textColor,
  background: textColor,
  maxLines: fc.integer({ min: 1, max: 4 }),
  uppercase: fc.boolean(),
  source: fc.constantFrom(
    { text: '00:01.000 --> 00:02.000\nHello' },
    { words: [{ text: 'Hello', startTime: 1, endTime: 1.5 }] },
  ),
})

const videoName = fc
  .oneof(
    fc.constantFrom(
      'a',
      'n'.repeat(limits.videoNameLength),
      '映像 🎬',
      'نص',
      '../../x',
      '"; --',
      'a.mp4',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  )
  .filter((name) => name.length <= limits.videoNameLength)
  .filter((name) => name.trim() !== '' && !/\p{Cc}/u.test(name))

const metadata = fc
  .dictionary(fc.string({ maxLength: 20 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 })
  .map((value) => JSON.stringify(value))
  .filter((json) => new TextEncoder().encode(json).length <= limits.metadataBytes)
  .map((json) => JSON.parse(json) as unknown)

const transition = fc.oneof(
  body({ type: fc.constantFrom(...transitionTypes), duration }, ['type', 'duration']),
  body({ type: fc.constant('fade'), duration, color }, ['type', 'duration', 'color']),
)

/** A value for every option that has only a few. */
const choices = Object.fromEntries(
  Object.entries(processingOptions).flatMap(([name, field]) => {
    const { type, enum: listed } = z.toJSONSchema(field, { io: 'input' })
    const values = type === 'boolean' ? [true, false] : listed
    return values ? [[name, fc.constantFrom<unknown>(...values)]] : []
  }),
)

const filmFade = fc.record({ duration: numbers(0, 30), color }, { requiredKeys: ['duration'] })

const pictureEdits = {
  crop: fc.constantFrom<unknown>({ x: '10%', width: '80%' }, { y: 20, width: 640, height: 360 }),
  color: fc.constantFrom<unknown>({ brightness: -1, contrast: 3 }, { saturation: 0 }),
  fadeIn: filmFade,
  fadeOut: filmFade,
}

function requestFields(options: BodyOptions) {
  return {
    videoName,
    metadata,
    maxSeconds: numbers(0.001, 1e6),
    maxPrice: numbers(0.001, 1e6),
    reuse: fc.boolean(),
    ...(options.webhookUrl === undefined ? {} : { webhookUrl: fc.constant(options.webhookUrl) }),
    // Built in, and nothing that it fills in needs another source.
    preset: fc.constantFrom('clean-talk', 'vertical-clip', 'captions'),
    ...choices,
    combine: fc.constant(false),
    compressionQuality: numbers(1, 100),
    backgroundColor: color,
    ...pictureEdits,
    background: color,
    normalizeAudio: fc.constantFrom<unknown>(false, true, {}, { target: -14, peak: -1 }),
    speakers: fc.constantFrom<unknown>(true, {}, { count: 2, names: ['Anna', 'Ben'] }),
    keepSpeakers: fc.constantFrom(['Anna'], ['Speaker 1', 'Speaker 2']),
    removeSpeakers: fc.constant(['Ben']),
    bleep: fc.array(
      said.filter((text) => text.length <= limits.bleepLength && !text.includes('*')),
      {
        ...{ minLength: 1, maxLength: 5 },
      },
    ),
    vocabulary: fc.constantFrom<unknown>([], ['Spool'], ['Spool', 'Łódź', 'C3PO']),
    suggestClips: body({
      // With `clips` and `outputs`, all of them are results.
      count: fc.integer({ min: 1, max: limits.outputs - 2 }),
      minDuration: numbers(1, 15),
      maxDuration: numbers(15, limits.clipSeconds),
      about: fc.constantFrom('pricing', 'Łódź'),
    }),
    waveform: fc.constantFrom<unknown>(true, {}, { color: '#ffcc00', background: '#101010' }),
    captions,
    removeSegments: segments,
    keepSegments: fc.array(segment, { minLength: 1, maxLength: limits.removeSegments }),
    reframe: fc.constantFrom<unknown>(
      { scenes: [{ startTime: 0, endTime: 4, x: '30%' }] },
      {
        scenes: [
          { startTime: 1.5, endTime: 2, mode: 'halves' },
          { startTime: 2, endTime: 9.25 },
        ],
      },
    ),
    trim: body({ start: seconds, end: seconds }),
    cutTransition: transition,
    speed: numbers(0.25, 4),
    audio: body({ volume: numbers(0, 4), mute: fc.boolean(), fadeIn: fade, fadeOut: fade }),
    removeText: phrases,
    keepText: phrases,
    elements: elements(options.mediaUrl),
    outputs: fc.constantFrom<unknown>(
      [{ name: 'web' }],
      [{ name: 'web' }, { name: 'phone', aspectRatio: '9:16', captions: false }],
      [
        { name: 'film', compressionQuality: 40 },
        { name: 'podcast', outputFormat: 'mp3' },
      ],
    ),
  }
}
