import type { CreateVideo } from '../create-video.ts'
import type { Phrase } from '../phrases.ts'
import { formatName } from '../../video/format-name.ts'

type Saying = (plan: CreateVideo) => string | undefined

const notAStep: Saying = () => undefined

/** The same as `asksForTranscript` of the options, which would pull all schemas into a page. */
const isHeard = ({ captions, suggestClips, clips, chapters, speakers = false }: CreateVideo) =>
  (captions !== undefined && !captions.source) ||
  (suggestClips ?? clips) !== undefined ||
  chapters === true ||
  speakers !== false

/**
 * The step that each field of a request adds, in the order in which they are done. A field that changes how another is done is
 * described with that one.
 */
const steps: { readonly [Field in keyof CreateVideo]-?: Saying } = {
  fileUrl: ({ fileUrl }) => (fileUrl === undefined ? undefined : `fetch ${shortAddress(fileUrl)}`),
  files: ({ files }) => {
    if (!files) return undefined
    const pictures = files.filter(({ duration, motion }) => (duration ?? motion) !== undefined)
    const drawn = pictures.length > 0 ? `, ${pictures.length} of them made of a picture` : ''
    return `fetch ${count(files.length, 'clip')}${drawn}`
  },
  uploadId: ({ uploadId }) => (uploadId === undefined ? undefined : 'take the uploaded file'),
  sourceVideoId: ({ sourceVideoId }) =>
    sourceVideoId === undefined ? undefined : 'use the file of an earlier video again',
  background: ({ background, waveform }) =>
    background && !waveform ? 'draw a background if a file is sound alone' : undefined,
  waveform: ({ waveform }) =>
    waveform ? 'draw the wave of a file that is sound alone' : undefined,
  combine: ({ combine, files }) => {
    if (!combine || !files) return undefined
    const led = files.filter(({ transition }) => transition && transition.type !== 'none').length
    const how = led === 0 ? '' : `, with ${count(led, 'transition')} between them`
    const changed = files.filter(({ volume = 1 }) => volume !== 1).length
    const loud = changed === 0 ? '' : `, ${count(changed, 'clip')} at another volume`
    return `join them in this order${how}${loud}`
  },
  stabilize: ({ stabilize }) => (stabilize ? 'hold the picture still' : undefined),
  blurFaces: ({ blurFaces }) => (blurFaces ? 'cover every face with a blur' : undefined),
  rotate: ({ rotate }) => (rotate === 0 ? undefined : `turn the picture by ${rotate}° clockwise`),
  crop: ({ crop }) => crop && `keep ${sayCrop(crop)} of the picture`,
  color: ({ color }) =>
    color && `change its colours${color.lutUrl === undefined ? '' : ' by a table'}`,
  flip: ({ flip }) => flip && `mirror it ${mirrors[flip]}`,
  removeSegments: ({ removeSegments = [], files = [] }) => {
    const named = removeSegments.length + files.flatMap((file) => file.removeSegments ?? []).length
    return named === 0 ? undefined : `cut out ${count(named, 'part')} that you chose`
  },
  keepSegments: ({ keepSegments = [], files = [] }) => {
    const named = keepSegments.length + files.flatMap((file) => file.keepSegments ?? []).length
    return named === 0 ? undefined : `keep only ${count(named, 'part')} that you chose`
  },
  trim: ({ trim: { start = 0, end = 0 } = {} }) => {
    const ends = [
      ...(start > 0 ? [`${start} s at the start`] : []),
      ...(end > 0 ? [`${end} s at the end`] : []),
    ]
    return ends.length === 0 ? undefined : `cut ${list(ends)}`
  },
  keepText: ({ keepText = [] }) =>
    keepText.length === 0 ? undefined : `keep only ${phrases(keepText)}`,
  removeText: ({ removeText = [] }) =>
    removeText.length === 0 ? undefined : `cut ${phrases(removeText)}`,
  removeSpeakers: ({ removeSpeakers = [] }) =>
    removeSpeakers.length === 0
      ? undefined
      : `cut what ${list(removeSpeakers)} ${removeSpeakers.length === 1 ? 'says' : 'say'}`,
  keepSpeakers: ({ keepSpeakers = [] }) =>
    keepSpeakers.length === 0
      ? undefined
      : `keep only what ${list(keepSpeakers)} ${keepSpeakers.length === 1 ? 'says' : 'say'}`,
  removeFillers: ({ removeFillers }) =>
    removeFillers ? 'cut fillers such as um, and repeated starts' : undefined,
  bleep: ({ bleep: words = [], bleepWith = 'tone' }) =>
    words.length === 0
      ? undefined
      : `cover ${words.length === 1 ? `“${words[0] ?? ''}”` : count(words.length, 'phrase')} with ${bleepWith === 'tone' ? 'a tone' : 'silence'} wherever ${words.length === 1 ? 'it is said, and mask it' : 'they are said, and mask them'} in all texts`,
  bleepWith: notAStep,
  removeSilence: ({ removeSilence }) =>
    removeSilence ? 'cut the pauses in which nobody speaks' : undefined,
  cutTransition: ({ cutTransition }) =>
    cutTransition && cutTransition.type !== 'none'
      ? `lead from each cut to what follows with a ${cutTransition.type}${cutTransition.duration === undefined ? '' : ` of ${cutTransition.duration} s`}`
      : undefined,
  removeNoise: ({ removeNoise }) =>
    removeNoise ? 'take out background noise; music stays' : undefined,
  normalizeAudio: ({ normalizeAudio }) =>
    normalizeAudio ? `bring the loudness to ${sayLoudness(normalizeAudio)}` : undefined,
  speed: ({ speed = 1 }) => (speed === 1 ? undefined : `play it at ${speed}× its speed`),
  audio: ({ audio: { volume = 1, mute, replaceUrl, fadeIn, fadeOut } = {} }) => {
    if (mute) return 'leave its sound out'
    const changes = [
      ...(replaceUrl === undefined ? [] : ['put another sound in place of its own']),
      ...(volume === 1 ? [] : [`play its sound at ${volume}× the volume`]),
      ...(fadeIn || fadeOut ? ['fade its sound'] : []),
    ]
    return changes.length === 0 ? undefined : list(changes)
  },
  aspectRatio: ({ aspectRatio, resizeMode, backgroundColor }) =>
    aspectRatio === 'original'
      ? undefined
      : `shape it ${aspectRatio}, ${waysToFit[resizeMode](backgroundColor)}`,
  resizeMode: notAStep,
  reframe: ({ reframe }) =>
    reframe && `show what you chose in ${count(reframe.scenes.length, 'scene')}`,
  backgroundColor: notAStep,
  elements: ({ elements = [] }) => {
    if (elements.length === 0) return undefined
    const kinds = [...new Set(elements.map(({ type }) => type))]
    const each = kinds.map((kind) =>
      count(elements.filter(({ type }) => type === kind).length, nouns[kind] ?? kind),
    )
    return `add ${list(each)}`
  },
  fadeIn: ({ fadeIn }) => fadeIn && `fade in from ${fadeIn.color ?? 'black'}`,
  fadeOut: ({ fadeOut }) => fadeOut && `fade out to ${fadeOut.color ?? 'black'}`,
  captions: (plan) => {
    const { captions } = plan
    if (!captions) return undefined
    const {
      embed = false,
      burn = !embed,
      style = 'plain',
      translateTo = [],
      burnLanguage,
    } = captions
    const what = captions.source ? 'your captions' : 'captions of what is said'
    return list([
      ...(burn
        ? [
            `put ${what} on the picture (${looks[style]}${burnLanguage === undefined ? '' : `, in ${burnLanguage}`})`,
          ]
        : []),
      ...(embed ? [burn ? 'add them as a track' : `add ${what} as a track`] : []),
      ...(translateTo.length > 0 ? [`translate them (${translateTo.join(', ')})`] : []),
    ])
  },
  split: ({ split }) => (split ? undefined : 'have one media worker render it whole'),
  outputFormat: (plan) => {
    const { outputFormat, compressionQuality } = plan
    const how =
      compressionQuality === 100 && !changesEveryPicture(plan)
        ? ', with the pictures as they are where nothing changes them'
        : ''
    return `save it as ${formatName(outputFormat)} at quality ${compressionQuality}${how}`
  },
  compressionQuality: notAStep,
  outputs: ({ outputs = [] }) => {
    // A form that is being filled in may have no name yet.
    const names = outputs.flatMap((output) => {
      if (!output.name) return []
      const facts = sayOutput(output)
      return facts === '' ? output.name : `${output.name} (${facts})`
    })
    if (outputs.length === 0) return undefined
    return `make ${count(outputs.length, 'result')}${names.length === 0 ? '' : `: ${list(names)}`}`
  },
  vocabulary: ({ vocabulary = [] }) =>
    vocabulary.length === 0 ? undefined : `listen for ${count(vocabulary.length, 'name')}`,
  clips: ({ clips, suggestClips: looked, outputs = [] }) => {
    if (clips === undefined) return undefined
    const most = looked?.count === undefined ? '' : `, at most ${looked.count}`
    return `make a result of each suggested clip${outputs.length === 0 ? '' : ' too'}${most}`
  },
  enableTranscription: (plan) =>
    plan.enableTranscription || isHeard(plan)
      ? 'write down what is said in the finished video, with caption files'
      : undefined,
  speakers: ({ speakers = false }) => {
    if (speakers === false) return undefined
    const { count: people = undefined, names = [] } = speakers === true ? {} : speakers
    const who = names.length > 0 ? ` (${list(names)})` : ''
    return `tell who says what${people === undefined ? '' : `, of ${people} people`}${who}`
  },
  suggestClips: ({ suggestClips: clips }) =>
    clips &&
    `suggest parts that are worth a clip${clips.about === undefined ? '' : ` about “${clips.about}”`}`,
  chapters: ({ chapters }) => (chapters ? 'list chapters where the subject changes' : undefined),
  enableAiAnalysis: ({ enableAiAnalysis }) =>
    enableAiAnalysis ? 'find tags, a summary and the likely place' : undefined,
  enableThumbnail: ({ enableThumbnail }) => (enableThumbnail ? 'make a thumbnail' : undefined),
  webhookUrl: ({ webhookUrl }) =>
    webhookUrl === undefined ? undefined : `tell ${shortAddress(webhookUrl)} when it ends`,
  maxSeconds: ({ maxSeconds }) =>
    maxSeconds === undefined
      ? undefined
      : `stop at the start if it takes more than ${maxSeconds} s`,
  maxPrice: ({ maxPrice }) =>
    maxPrice === undefined ? undefined : `stop at the start if it costs more than ${maxPrice}`,
  destinations: ({ destinations = [] }) => {
    const names = new Set(destinations.map(({ storage }) => storage))
    return names.size === 0 ? undefined : `deliver it to ${list([...names])}`
  },
  analyzeOnly: notAStep,
  videoName: notAStep,
  metadata: notAStep,
  reuse: notAStep,
  preset: notAStep,
  values: notAStep,
}

/** Describes an output, and which part of the film it shows. */
function sayOutput(output: NonNullable<CreateVideo['outputs']>[number]): string {
  const { outputFormat, heights, clip, startTime, duration, times } = output
  return [
    outputFormat === 'hls' ? sayStream(heights) : outputFormat,
    clip && `seconds ${clip.startTime} to ${clip.endTime} of the source`,
    startTime === undefined ? undefined : `from second ${startTime}`,
    duration === undefined ? undefined : `${duration} s long`,
    times && times.length > 1 ? `${times.length} moments` : undefined,
  ]
    .filter((fact) => fact !== undefined)
    .join(', ')
}

function sayStream(heights: readonly number[] = []): string {
  const names = heights.map((height) => String(height))
  return names.length === 0 ? 'a stream in several sizes' : `a stream in ${list(names)}`
}

function changesEveryPicture(plan: CreateVideo) {
  const { aspectRatio, rotate, stabilize, speed = 1, captions, elements = [] } = plan
  const isDrawnOn = captions !== undefined && (captions.burn ?? captions.embed !== true)
  const hasOverlay = elements.some(({ type }) => type !== 'audio')
  const { crop, color, flip, fadeIn, fadeOut, blurFaces } = plan
  const isEdited = [blurFaces, crop, color, flip, fadeIn, fadeOut].some((edit) => edit)
  const isShaped = aspectRatio !== 'original' || rotate !== 0 || speed !== 1
  return stabilize || isShaped || isDrawnOn || hasOverlay || isEdited
}

const nouns: Readonly<Record<string, string>> = { audio: 'sound', blur: 'blurred part' }

const mirrors = {
  horizontal: 'left to right',
  vertical: 'top to bottom',
  both: 'left to right and top to bottom',
}

function sayCrop({ x = 0, y = 0, width, height }: NonNullable<CreateVideo['crop']>): string {
  const sides = [
    width === undefined ? undefined : `${sayLength(width)} across`,
    height === undefined ? undefined : `${sayLength(height)} down`,
  ].filter((side) => side !== undefined)
  return [...sides, `from ${sayLength(x)}, ${sayLength(y)}`].join(' ')
}

function sayLength(length: number | string): string {
  return typeof length === 'string' ? length : `${length} px`
}

const looks = { plain: 'outlined', box: 'on a box', karaoke: 'word by word' }

const waysToFit = {
  cover: () => 'cropped',
  contain: (color: string) =>
    color === 'blur' ? 'on a blurred copy of itself' : `with bars in ${color}`,
  stretch: () => 'stretched',
  follow: () => 'cropped around the faces of each shot',
}

function sayLoudness(asked: true | { target?: number | undefined }): string {
  const { target = -16 } = asked === true ? {} : asked
  return `−${Math.abs(target)} LUFS`
}

/** If no video is made, only these count. */
const stepsOfAnalysis = ['fileUrl', 'files', 'uploadId', 'sourceVideoId', 'combine'] as const

/** What would be done for this request, step by step. */
export function sayPlan(plan: CreateVideo): string[] {
  const say = (fields: readonly (keyof CreateVideo)[]) =>
    fields.flatMap((field) => steps[field](plan) ?? [])
  if (!plan.analyzeOnly) return say(Object.keys(steps) as (keyof CreateVideo)[])
  return [
    ...say(stepsOfAnalysis),
    'listen, and suggest which silences, fillers and repeated starts to cut; no video is made',
    'write down what is said, with caption files',
    ...(plan.bleep ? ['list where the words are said that are to be covered'] : []),
    ...say(['speakers', 'vocabulary', 'suggestClips', 'chapters', 'webhookUrl']),
  ]
}

/** The host and the last part: what a person tells an address by. */
function shortAddress(address: string): string {
  const url = URL.parse(address)
  if (!url || !/^(https?|storage):$/.test(url.protocol)) return address
  const [last = '', ...others] = url.pathname.split('/').filter(Boolean).reverse()
  const host = url.protocol === 'storage:' ? `storage://${url.host}` : url.host
  return [host, ...(others.length > 0 ? ['…'] : []), last].filter(Boolean).join('/')
}

function phrases(all: readonly Phrase[]): string {
  const [first] = all
  if (all.length > 1 || first === undefined) {
    return `${count(all.length, 'phrase')}, wherever they are said`
  }
  const { text, occurrence } = typeof first === 'string' ? { text: first } : first
  return `“${text}”, ${occurrence === undefined ? 'wherever it is said' : `time ${occurrence} that it is said`}`
}

function list(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
