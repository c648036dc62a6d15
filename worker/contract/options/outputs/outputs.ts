import { z } from 'zod'
import type { FieldFault } from '../../answers/errors.ts'
import { worded } from '../../answers/wording.ts'
import { closedObject } from '../../input/closed-object.ts'
import { limits } from '../../limits.ts'
import { captions, type Captions } from '../captions/captions.ts'
import { isBuiltInFont } from '../captions/fonts.ts'
import { rateFaults, rateFields } from './output-rates.ts'
import { heightsFaults, hlsFaults, hlsFormat, hlsHeights, isHls } from './output-hls.ts'
import {
  formatFaults,
  isPicture,
  pictureFormats,
  type PictureFormat,
  type FaultAt,
} from './output-pictures.ts'
import { clipsAsked, type SuggestClips } from '../moments.ts'
import { timeFields } from './output-times.ts'
import {
  aspectRatios,
  backgroundColor,
  outputFormats,
  quality,
  resizeModes,
} from '../picture/picture-fields.ts'

const soundFormats = ['mp3', 'm4a', 'wav', 'flac', 'ogg'] as const
export type SoundFormat = (typeof soundFormats)[number]

/** Letters that need no escaping in a key of the bucket, a link or a file name. */
const outputName = worded(
  z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/,
      'Must be 1 to 40 letters, digits, hyphens and underscores, and begin with a letter or a digit',
    ),
  'a name such as "phone"',
)

/** How the captions of one output look; their text is the same for all. */
const captionLook = z.strictObject(captions.shape).omit({
  ...{ source: true, language: true, burn: true, embed: true },
  ...{ translateTo: true, glossary: true },
})
const lookOfOutput = closedObject(captionLook.shape, {
  source: 'Captions say the same in all outputs; give their source in captions of the request',
  language: 'Captions say the same in all outputs; give their language in captions of the request',
  translateTo: 'Give it in captions of the request; every output has the same translations',
  glossary: 'Give it in captions of the request; every output has the same translations',
  burn: 'Give it in captions of the request; false in place of this object leaves captions out',
  embed: 'Give it in captions of the request; false in place of this object leaves captions out',
})

const side = worded(
  z
    .int()
    .min(16, `Must be from 16 to ${limits.outputSide}`)
    .max(limits.outputSide, `Must be from 16 to ${limits.outputSide}`)
    .multipleOf(2, 'Must be even: players expect pictures with even sides'),
  'an even whole number of pixels such as 1280',
)

const leastFps = 1

const rateText = /^(\d{1,6}(?:\.\d{1,3})?)(?:\/(\d{1,4}))?$/

/** Pictures in a second; undefined if the text is neither a number nor a fraction. */
export function fpsAsked(fps: number | string): number | undefined {
  if (typeof fps === 'number') return fps
  const [, pictures, seconds = 1] = rateText.exec(fps) ?? []
  return pictures === undefined ? undefined : Number(pictures) / Number(seconds)
}

const fps = worded(
  z.union([z.number(), z.string()]).superRefine((asked, context) => {
    const rate = fpsAsked(asked)
    if (rate !== undefined && rate >= leastFps && rate <= limits.outputFps) return
    const message = `Must be from ${leastFps} to ${limits.outputFps}, as a number or a fraction such as "24000/1001"`
    context.addIssue({ code: 'custom', message })
  }),
  'a number such as 25, or a fraction such as "24000/1001"',
)

export const output = worded(
  closedObject({
    name: outputName.describe('What it is called in the record; no two outputs have the same name'),
    outputFormat: z
      .enum([...outputFormats, ...soundFormats, ...pictureFormats, hlsFormat])
      .optional()
      .describe(
        'Container of this result; mp3, m4a, wav, flac and ogg (Opus) hold the sound alone, gif and webp move, jpg and png are stills, sprite is for the time line of a player, hls is a stream in sizes. That of the request when absent',
      ),
    compressionQuality: quality.optional().describe('As in the request; wav and flac lose nothing'),
    aspectRatio: z.enum(aspectRatios).optional().describe('Shape of this result'),
    resizeMode: z.enum(resizeModes).optional().describe('How the picture fits its shape'),
    backgroundColor: backgroundColor.optional().describe('Colour of its bars, or blur'),
    width: side
      .optional()
      .describe('Exact width in pixels; follows from the height and the shape when absent'),
    height: side
      .optional()
      .describe('Exact height in pixels; follows from the width and the shape when absent'),
    fps: fps
      .optional()
      .describe('Pictures a second, such as 25 or "24000/1001"; those of the source when absent'),
    ...rateFields,
    heights: hlsHeights
      .optional()
      .describe(
        'Sizes of an hls stream by the shorter side, none larger than the film; 1080, 720, 480, 360 when absent',
      ),
    ...timeFields,
    captions: z
      .union([z.literal(false), lookOfOutput], {
        error: () => 'Must be false, or an object such as {"style": "box"}',
      })
      .optional()
      .describe('false leaves out the captions of the request; an object changes how they look'),
  }),
  'an object such as {"name": "phone", "aspectRatio": "9:16"}',
)
export type Output = z.infer<typeof output>

export const outputs = worded(
  z
    .array(output)
    .min(1, 'Must name at least one output')
    .max(limits.outputs, `At most ${limits.outputs} outputs`),
  'a list such as [{"name": "web"}, {"name": "phone", "aspectRatio": "9:16"}]',
)

export function isSound(format: string | undefined): format is SoundFormat {
  return soundFormats.some((one) => one === format)
}

/** Whether an output shows the film: not only its sound, and not single pictures of it. */
export function isFilm<Format extends string>(
  format: Format | undefined,
): format is Exclude<Format, SoundFormat | PictureFormat | typeof hlsFormat> | undefined {
  return !isSound(format) && !isPicture(format) && !isHls(format)
}

/** The fields of a request that outputs may contradict. */
type RequestWithOutputs = {
  outputFormat: (typeof outputFormats)[number]
  analyzeOnly: boolean
  clips?: 'suggested' | undefined
  suggestClips?: SuggestClips | undefined
  audio?: { replaceUrl?: string | undefined } | undefined
  enableThumbnail: boolean
  enableAiAnalysis: boolean
  captions?: Captions | undefined
  outputs?: readonly Output[] | undefined
}

/** Faults between outputs, and between them and the rest of the request. */
export function outputFaults(request: RequestWithOutputs): FieldFault[] {
  const { outputs: asked = [], analyzeOnly } = request
  // For a job that makes no file, a warning names the options without effect.
  if (analyzeOnly) return []
  return [
    ...asked.flatMap((one, i) => faultsOf(one, i, asked, request)),
    ...unseen(request),
    ...suggestedFaults(request),
  ]
}

/** The name of a suggested clip as a result: `clip-1` is the first of the film. */
export function suggestedName(place: number): string {
  return `clip-${place + 1}`
}

/** The most results that suggested clips may become. */
export function mostSuggested({
  clips,
  suggestClips,
}: Pick<RequestWithOutputs, 'clips' | 'suggestClips'>) {
  return clips === undefined ? 0 : clipsAsked(suggestClips ?? {}).count
}

/** Whether stretches of the source become films of their own. */
export function makesClips({
  clips,
  outputs: asked = [],
}: Pick<RequestWithOutputs, 'clips' | 'outputs'>) {
  return clips !== undefined || asked.some(({ clip }) => clip !== undefined)
}

function suggestedFaults(request: RequestWithOutputs): FieldFault[] {
  const { clips, outputs: asked = [] } = request
  if (clips === undefined) return []
  const at = (message: string) => [{ field: 'clips', message }]
  const most = mostSuggested(request)
  const count = asked.length + most
  const named = asked.findIndex(({ name }) => /^clip-\d+$/i.test(name))
  return [
    ...(count > limits.outputs
      ? at(
          `Would make up to ${count} results, ${most} of them by suggestClips.count; at most ${limits.outputs} are possible`,
        )
      : []),
    ...(named >= 0
      ? [{ field: `outputs[${named}].name`, message: 'Is the name of a suggested clip' }]
      : []),
    ...(request.audio?.replaceUrl === undefined ? [] : at(replacedSound)),
  ]
}

const replacedSound = 'Not used with audio.replaceUrl, whose sound is that of the whole film'

function faultsOf(
  one: Output,
  i: number,
  all: readonly Output[],
  request: RequestWithOutputs,
): FieldFault[] {
  const at = (field: string, message: string) => ({ field: `outputs[${i}].${field}`, message })
  const same = (other: Output) => other.name.toLowerCase() === one.name.toLowerCase()
  const first = all.findIndex(same)
  const rate = one.fps === undefined ? undefined : fpsAsked(one.fps)
  return [
    ...(first < i
      ? [at('name', `Must differ from the name of outputs[${first}], also in more than capitals`)]
      : []),
    ...(isSound(one.outputFormat) ? pictureFaults(one, one.outputFormat, at) : []),
    ...(isFilm(one.outputFormat)
      ? rateFaults(one, one.outputFormat ?? request.outputFormat, at)
      : []),
    ...(isHls(one.outputFormat) ? hlsFaults(one, rate, at) : heightsFaults(one, at)),
    ...formatFaults({ ...one, rate }, at),
    ...shapeFaults(one, at),
    ...stretchFaults(one, request, at),
    ...captionFaults(one, request, at),
  ]
}

const ofPicture = [
  ...(['aspectRatio', 'resizeMode', 'backgroundColor'] as const),
  ...(['width', 'height', 'fps', 'captions', 'heights'] as const),
  ...(['videoCodec', 'maxBytes', 'maxBitrate'] as const),
] as const

function pictureFaults(one: Output, format: SoundFormat, at: FaultAt): FieldFault[] {
  return ofPicture
    .filter((field) => one[field] !== undefined)
    .map((field) => at(field, `Not used with ${format}, which holds a sound and no picture`))
}

function shapeFaults(
  { aspectRatio, width, height, outputFormat }: Output,
  at: FaultAt,
): FieldFault[] {
  const isGiven = aspectRatio !== undefined && width !== undefined && height !== undefined
  if (!isGiven || isSound(outputFormat)) return []
  return [at('aspectRatio', 'Not used with width and height together, which decide the shape')]
}

function stretchFaults(
  { clip, startTime, duration }: Output,
  { audio }: RequestWithOutputs,
  at: FaultAt,
) {
  if (clip === undefined) return []
  const other = Object.entries({ startTime, duration }).filter(([, value]) => value !== undefined)
  return [
    ...other.map(([field]) => at(field, 'Not used with clip, which says what is shown')),
    ...(audio?.replaceUrl === undefined ? [] : [at('clip', replacedSound)]),
  ]
}

function captionFaults(
  { captions: look, outputFormat }: Output,
  request: RequestWithOutputs,
  at: FaultAt,
) {
  if (!look || isSound(outputFormat)) return []
  if (!request.captions) {
    return [at('captions', 'Needs captions in the request, whose look it changes')]
  }
  const { translateTo = [] } = request.captions
  if (look.burnLanguage !== undefined && !translateTo.includes(look.burnLanguage)) {
    return [at('captions.burnLanguage', 'Must be one of captions.translateTo of the request')]
  }
  if (look.font === undefined || isBuiltInFont(look.font)) return []
  return [
    at(
      'captions.font',
      'Must be a font of the service; captions.font of the request may be an address',
    ),
  ]
}

/** A still and an analysis are made of pictures. */
function unseen(request: RequestWithOutputs): FieldFault[] {
  const isSeen = ({ outputFormat }: Output) => isFilm(outputFormat) || isHls(outputFormat)
  if (!request.outputs || request.clips || request.outputs.some(isSeen)) return []
  return (['enableThumbnail', 'enableAiAnalysis'] as const)
    .filter((field) => request[field])
    .map((field) => ({ field, message: 'Needs a video, and no output is one' }))
}
