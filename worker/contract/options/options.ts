import { z } from 'zod'
import { captions } from './captions/captions.ts'
import { closedObject } from '../input/closed-object.ts'
import { keptSegments, segments, trim } from './cuts.ts'
import { element, smallestElement } from './elements/elements.ts'
import { filmAudio } from './sound/film-audio.ts'
import { limits } from '../limits.ts'
import { suggestClips } from './moments.ts'
import { normalizeAudio } from './sound/loudness.ts'
import { outputs } from './outputs/outputs.ts'
import { phrases } from './phrases.ts'
import { color, crop, filmFade, flips } from './picture/picture-edits.ts'
import {
  aspectRatios,
  backgroundColor,
  outputFormats,
  quality,
  resizeModes,
} from './picture/picture-fields.ts'
import { reframe } from './picture/reframe.ts'
import { transition } from './picture/transition.ts'
import { bleep, bleepSounds } from './sound/bleep.ts'
import { soundAlone } from './sound/sound-alone.ts'
import { speakerNames, speakers } from './speakers.ts'
import { worded } from '../answers/wording.ts'
import { vocabulary } from './vocabulary.ts'

const flag = z.boolean().default(false)

const speeds = { least: 0.25, most: 4 } as const
const speedRange = `Must be from ${speeds.least} to ${speeds.most}`
const speed = worded(
  z.number().min(speeds.least, speedRange).max(speeds.most, speedRange),
  `a number from ${speeds.least} to ${speeds.most}`,
)

/**
 * Every processing option: its range, default and meaning, and an example where neither a flag nor a list of values gives
 * one. Request bodies, form fields, the stored row, the echo, the media job and the API reference with its examples all
 * derive from this one shape.
 */
export const processingOptions = {
  analyzeOnly: flag.describe(
    'Make no video: answer the transcript, and suggestions of what to cut',
  ),
  combine: flag.describe('Join all files into one video; required with files'),
  removeSilence: flag.describe('Cut pauses, keeping a little padding around speech'),
  normalizeAudio,
  removeNoise: flag.describe('Reduce background noise; music is kept'),
  enableTranscription: flag.describe('Transcribe the speech of the finished video'),
  speakers: speakers
    .optional()
    .describe('Tell who says what, in the transcript and its files')
    .meta({ examples: [{ count: 2, names: ['Anna', 'Ben'] }] }),
  vocabulary: vocabulary
    .optional()
    .describe('Names and words to know when they are said, spelled as they are to be written')
    .meta({ examples: [['Spool', 'Łódź']] }),
  suggestClips: suggestClips
    .optional()
    .describe('Suggest parts worth a clip, in `moments`')
    .meta({ examples: [{ count: 3, maxDuration: 45 }] }),
  clips: z
    .enum(['suggested'])
    .optional()
    .describe('Make a result of each clip that suggestClips finds, or would find by its defaults'),
  chapters: z
    .boolean()
    .optional()
    .describe('List chapters by subject, in `moments` and in MP4, MOV, WebM and HLS')
    .meta({ examples: [true] }),
  enableAiAnalysis: flag.describe('Find tags, a summary and a likely location'),
  enableThumbnail: flag.describe('Make a JPEG still of the finished video'),
  outputFormat: z.enum(outputFormats).default('mp4').describe('Container of the result'),
  compressionQuality: quality
    .default(100)
    .describe('1 makes the smallest file, 100 keeps the quality of the original')
    .meta({ examples: [80] }),
  split: z
    .boolean()
    .default(true)
    .describe(
      'Render a long film in parts, by all media workers that are free. The result is the same',
    ),
  stabilize: flag.describe('Hold a shaky picture still'),
  blurFaces: z
    .boolean()
    .optional()
    .describe('Cover every face of the sources with a blur that cannot be undone')
    .meta({ examples: [true] }),
  rotate: z
    .literal([0, 90, 180, 270])
    .default(0)
    .describe('Degrees clockwise by which the picture is turned, before it is shaped'),
  crop: crop
    .optional()
    .describe('The part of the upright picture that is kept, before the picture is shaped'),
  color: color.optional().describe('Brightness, contrast, saturation and a table of colours'),
  flip: z
    .enum(flips)
    .optional()
    .describe('Mirror the picture: left and right, top and bottom, or both'),
  aspectRatio: z.enum(aspectRatios).default('original').describe('Shape of the result'),
  resizeMode: z
    .enum(resizeModes)
    .default('cover')
    .describe(
      'How the picture fits another shape: cover crops it, contain adds bars, stretch distorts it, follow crops it around the faces of each shot',
    ),
  reframe: reframe
    .optional()
    .describe('What resizeMode follow shows in stretches of the source, in place of what it finds')
    .meta({ examples: [{ scenes: [{ startTime: 0, endTime: 4, x: '30%' }] }] }),
  backgroundColor: backgroundColor
    .default('#000000')
    .describe('Colour of the bars; blur fills them with the blurred picture itself')
    .meta({ examples: ['#101820'] }),
  ...soundAlone,
  captions: captions.optional().describe('Captions on the picture or as a track of the file'),
  removeSegments: segments.optional().describe('Parts of the source to leave out'),
  keepSegments: keptSegments
    .optional()
    .describe('Parts of the source to keep, not with removeSegments'),
  trim: trim.optional().describe('Seconds to take off both ends'),
  speed: speed
    .optional()
    .describe('How fast it plays, at the same pitch; 1 when absent')
    .meta({ examples: [1.25] }),
  audio: filmAudio.optional().describe('The sound of the film itself'),
  removeText: phrases
    .optional()
    .describe('Cut these words wherever they are said, or only the time that `occurrence` names')
    .meta({ examples: [['let me start again']] }),
  keepText: phrases
    .optional()
    .describe('Cut everything but these words; nothing is cut if none of them is said')
    .meta({ examples: [['Welcome to the show']] }),
  removeSpeakers: speakerNames
    .optional()
    .describe('Cut what these people say')
    .meta({ examples: [['Speaker 2']] }),
  keepSpeakers: speakerNames
    .optional()
    .describe('Cut everything but what these people say')
    .meta({ examples: [['Speaker 1']] }),
  removeFillers: flag.describe('Cut um, uh and er, and starts that are said again'),
  bleep: bleep
    .optional()
    .describe('Cover these words in the sound, and write *** for them wherever they are written')
    .meta({ examples: [['damn', 'Acme Corp']] }),
  bleepWith: z
    .enum(bleepSounds)
    .optional()
    .describe('What is heard in place of a covered word; tone when absent'),
  cutTransition: transition
    .optional()
    .describe('How the parts around each cut lead into each other, whatever the cut is made by'),
  elements: worded(
    z.array(element).max(limits.elements, `At most ${limits.elements} elements`),
    `a list such as [${smallestElement}]`,
  )
    .optional()
    .describe('Overlays and sounds'),
  fadeIn: filmFade.optional().describe('A fade of the film from a colour at its start'),
  fadeOut: filmFade.optional().describe('A fade of the film to a colour at its end'),
  outputs: outputs
    .optional()
    .describe(
      'Several results of one edit, each with what differs from the request; finalVideoUrl is the first video',
    ),
} as const

export const optionsSchema = closedObject(processingOptions)
export type ProcessingOptions = z.infer<typeof optionsSchema>
/** Whether captions show what is said, and not a text of the customer's own. */
export function hearsCaptions({ captions }: Pick<ProcessingOptions, 'captions'>): boolean {
  return captions !== undefined && captions.source === undefined
}

/** Whether there will be a transcript. Asking for captions of what is said, for parts of it, or for what to cut, is asking to hear it. */
export function asksForTranscript(
  options: Pick<ProcessingOptions, 'analyzeOnly' | 'enableTranscription' | 'captions'> &
    AskedMoments &
    Partial<Pick<ProcessingOptions, 'speakers'>>,
): boolean {
  const { analyzeOnly, enableTranscription, speakers: who = false } = options
  if (analyzeOnly || enableTranscription || who !== false) return true
  return hearsCaptions(options) || asksForMoments(options)
}

type AskedMoments = Partial<Pick<ProcessingOptions, 'suggestClips' | 'clips' | 'chapters'>>

/** Whether clips or chapters are looked for in what is said. */
export function asksForMoments({ suggestClips: looked, clips, chapters }: AskedMoments): boolean {
  return (looked ?? clips) !== undefined || chapters === true
}
