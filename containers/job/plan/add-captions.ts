import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Captions } from '../../../worker/contract/options/captions/captions.ts'
import { joinTexts } from '../../../worker/contract/captions/unspaced.ts'
import { isBuiltInFont } from '../../../worker/contract/options/captions/fonts.ts'
import { JobError } from '../../errors/job-error.ts'
import { makeCaptions } from '../../insight/captions/make-captions.ts'
import { CaptionFault, readOwnCaptions } from '../../insight/captions/own-captions.ts'
import { setCaptions, wordsToDraw } from '../../insight/captions/set-captions.ts'
import { writeVtt, type Caption } from '../../../worker/contract/captions/write-captions.ts'
import { captionLanguage } from '../../insight/captions/write-subtitles.ts'
import { maskSpeech } from '../../insight/cover/mask-words.ts'
import { carrySpeech } from '../../insight/transcribe-video.ts'
import { holdsCaptions, type CaptionFile } from '../../render/captions/embed-captions.ts'
import type { RenderSources } from '../../render/render-sources.ts'
import { planCaptionLook, colorSpeakers } from '../../render/captions/caption-look.ts'
import { excerptOf, isExcerpt } from '../../render/steps/take-excerpt.ts'
import { missingWarning } from '../../render/captions/text-picture.ts'
import type { CaptionTrack, CaptionLook, SetCaption } from '../../text/caption-track.ts'
import type { Speech } from '../../timeline/speech.ts'
import { rateOf } from '../../timeline/frame-rate.ts'
import { secondsLeft } from '../../timeline/list-cuts.ts'
import type { Cut } from '../cut/cut-footage.ts'
import { defaultFont, textStepMs } from '../measure/text-fonts.ts'
import type { TimeSpan } from '../../../worker/contract/layout/kept-time.ts'
import { cutsOf } from '../../insight/carry/plan-hearing.ts'
import { scenesShown } from '../../render/frame/followed-shape.ts'
import { finishedTime, joinedSeconds } from '../../timeline/timeline.ts'

/** The cut footage with its captions. */
export type Captioned = Cut & Pick<RenderSources, 'captions' | 'captionFiles' | 'readPart'>

/** `isCues`: each segment is shown exactly as long as it says. */
type Script = {
  readonly speech: Speech
  readonly isCues: boolean
  /** How long the finished video is. */
  readonly durationSeconds: number
  readonly warnings?: readonly string[]
}

/** Finds the text of the captions, in the times of the finished video, and sets it for its frame. */
export async function addCaptions(cut: Cut): Promise<Captioned> {
  const none = { ...cut, captions: undefined, captionFiles: [] }
  const { job, during } = cut.context
  const { captions, outputFormat } = job.options
  if (!captions) return none
  const said = await whatCaptionsSay(cut, captions)
  if ('why' in said) return { ...none, warnings: [...cut.warnings, said.why] }
  const warnings = [...(said.warnings ?? [])]
  const burns = captions.burn ?? captions.embed !== true
  const field = isBuiltInFont(captions.font ?? defaultFont) ? 'captions' : 'captions.font'
  const step = { field, doing: 'setting the captions in lines', mostMs: textStepMs }
  const burnt = burns
    ? await during(step, async () => burntTrack(cut, captions, drawn(cut, captions, said)))
    : undefined
  warnings.push(...(burnt?.warnings ?? []))
  if (captions.embed && !holdsCaptions(outputFormat)) {
    warnings.push(`captions.embed: ${outputFormat} files have no track for captions; left out.`)
  }
  return {
    ...cut,
    captions: burnt?.track,
    captionFiles: captions.embed ? await embedded(cut, captions, said) : [],
    warnings: [...cut.warnings, ...warnings],
  }
}

/** The text of the captions in the language of the film, in the times of the finished video, or why there are none. */
export async function whatCaptionsSay(
  cut: Cut,
  captions: Captions,
): Promise<Script | { why: string }> {
  const durationSeconds = secondsLeft(cut)
  return captions.source
    ? ownCaptions(cut, captions, durationSeconds)
    : heardCaptions(cut, durationSeconds)
}

/** The captions that are drawn: a translation, if it was requested and could be made. */
function drawn({ translations }: Cut, { burnLanguage }: Captions, said: Script): Script {
  const found = translations?.find(({ language }) => language === burnLanguage)
  if (!found) return said
  const segments = found.captions.map(({ startMs, endMs, lines, speaker }) => ({
    ...{ startTime: startMs / 1000, endTime: endMs / 1000 },
    ...{ text: joinTexts(lines, found.language), ...(speaker !== undefined && { speaker }) },
  }))
  const { speakers } = said.speech
  return {
    ...said,
    speech: { language: found.language, segments, ...(speakers && { speakers }) },
    isCues: true,
  }
}

/** The cues of captions as files have them. */
export async function cuesOf({
  speech,
  isCues,
  durationSeconds,
}: Script): Promise<readonly Caption[]> {
  if (!isCues) return makeCaptions(speech, durationSeconds)
  const toMs = (seconds: number): number => Math.round(seconds * 1000)
  return speech.segments.map(({ text, startTime, endTime }): Caption => ({
    ...{ startMs: toMs(startTime), endMs: toMs(endTime) },
    lines: [text],
  }))
}

function heardCaptions({ transcription }: Cut, durationSeconds: number): Script | { why: string } {
  switch (transcription?.outcome) {
    case 'heard':
      return transcription.speech.segments.length > 0
        ? { speech: transcription.speech, isCues: false, durationSeconds }
        : { why: 'captions: nobody speaks in this video, so it has none.' }
    case 'failed':
      return { why: `captions: left out, because nothing was understood. ${transcription.message}` }
    case 'too-long':
      return {
        why: `captions: the video is longer than ${transcription.mostSeconds} seconds, so it was not listened to.`,
      }
    case 'unasked':
    case undefined:
      throw new Error('Nobody listened for the captions')
  }
}

/** The customer's own captions have the times of the joined clips; they are moved past the cuts like recognised words. */
async function ownCaptions(
  cut: Cut,
  { source, language }: Captions,
  durationSeconds: number,
): Promise<Script | { why: string }> {
  const { tools, during } = cut.context
  const name = cut.fetched.beside.get('captions.source.url')
  const field = name === undefined ? 'captions.source' : 'captions.source.url'
  const file = name === undefined ? undefined : await readFile(path.join(tools.folder, name))
  try {
    const { speech, isCues, overlaps } = await during(
      { field, doing: 'reading these captions', mostMs: textStepMs },
      () => readOwnCaptions(source ?? {}, file, language),
    )
    const readable = maskSpeech(speech, cut.context.job.options.bleep)
    const carried = carrySpeech(readable, cut, durationSeconds)
    if (carried.segments.length > 0) {
      return {
        ...{ speech: { ...carried, language: speech.language }, isCues, durationSeconds },
        warnings: [...overlapWarning(overlaps), ...lateWarning(cut, readable, isCues)],
      }
    }
    return { why: 'captions.source: none of it lies in the finished video.' }
  } catch (error) {
    if (!(error instanceof CaptionFault)) throw error
    throw new JobError('element_unusable', `${field}: ${error.message}`.slice(0, 500), {
      cause: error,
    })
  }
}

function overlapWarning(overlaps: number): string[] {
  if (overlaps === 0) return []
  const cues = overlaps === 1 ? 'one cue ends' : `${overlaps} cues end`
  return [`captions.source: ${cues} sooner than asked, because the next one begins.`]
}

function lateWarning({ timeline }: Cut, { segments }: Speech, isCues: boolean): string[] {
  const seconds = joinedSeconds(timeline)
  const shown = isCues ? segments : segments.flatMap(({ words = [] }) => words)
  const late = shown.filter(({ startTime }) => startTime >= seconds).length
  if (late === 0) return []
  const kind = isCues ? 'cue' : 'word'
  const what = late === 1 ? `one ${kind} begins` : `${late} ${kind}s begin`
  return [`captions.source: ${what} after the source ends, and cannot be shown.`]
}

async function burntTrack(
  cut: Cut,
  captions: Captions,
  { speech, isCues, durationSeconds }: Script,
): Promise<{ track: CaptionTrack; warnings: string[] }> {
  const { fonts } = cut
  const { frame } = cut.shaped
  const { warnings, maxLines, maxWidth, ...look } = planCaptionLook(captions, frame)
  const drawn = wordsToDraw(speech, captions.uppercase ?? false)
  const text = `${drawn.segments.map((segment) => segment.text).join(' ')} `
  const words = drawn.segments.flatMap((segment) => segment.words ?? []).map((word) => word.text)
  const lettering = await fonts.lettering(
    captions.font,
    'captions.font',
    `${text}${words.join(' ')}`,
    captions.language ?? speech.language,
  )
  const { fontSize } = look
  const setting = { lettering, fontSize, maxWidth, maxLines, durationSeconds, isCues }
  const set = await setCaptions(drawn, setting)
  const runs = set.captions.flatMap(({ lines }) =>
    lines.flatMap((line) => line.words.flatMap((word) => word.runs)),
  )
  const families = [...new Set(runs.map(({ family }) => family))]
  await fonts.lay(families)
  const filled = set.captions.filter(({ lines }) => lines.length > 0)
  const colored = captions.colorBySpeaker
    ? colorSpeakers(filled, speech.speakers ?? [], look)
    : filled
  const shown =
    captions.position === undefined
      ? betweenHalves(colored, halvesIn(cut), { ...look, frameHeight: frame.height })
      : colored
  return {
    track: { captions: shown, look, families },
    warnings: [...warnings, ...missingWarning('captions', set.missing)],
  }
}

/** A caption track of what is said, and one for each translation. */
async function embedded(
  { context, timeline, translations = [] }: Cut,
  { language }: Captions,
  said: Script,
): Promise<CaptionFile[]> {
  const { options } = context.job
  const rate = options.fps === undefined ? timeline.frameRate : rateOf(options.fps)
  const fileOf = (code: string, captions: readonly Caption[]): CaptionFile => {
    const list = isExcerpt(options)
      ? cuesWithin(captions, excerptOf(options, said.durationSeconds, rate).span)
      : captions
    const threeLetters = captionLanguage(code)
    const tag = threeLetters === 'und' ? undefined : code
    return { text: writeVtt(list), language: threeLetters, tag }
  }
  return [
    fileOf(language ?? said.speech.language, await cuesOf(said)),
    ...translations.map((one) => fileOf(one.language, one.captions)),
  ]
}

/** The cues of an excerpt, in its time. */
function cuesWithin(
  cues: readonly Caption[],
  { start, end }: { readonly start: number; readonly end: number },
): Caption[] {
  const [fromMs, toMs] = [Math.round(start * 1000), Math.round(end * 1000)]
  return cues
    .filter(({ startMs, endMs }) => startMs < toMs && endMs > fromMs)
    .map((cue) => ({
      ...cue,
      startMs: Math.max(cue.startMs, fromMs) - fromMs,
      endMs: Math.min(cue.endMs, toMs) - fromMs,
    }))
}

type FollowedCut = Pick<Cut, 'clips' | 'timeline' | 'removed' | 'joints'> & {
  readonly context: { readonly job: { readonly options: Cut['context']['job']['options'] } }
}

/** When the finished video shows two people, one above the other. */
export function halvesIn(cut: FollowedCut): TimeSpan[] {
  const { all } = cutsOf(cut)
  const inFinished = (seconds: number): number => finishedTime(all.placeOf(seconds), cut.timeline)
  return cut.clips.flatMap(({ seen }) => {
    if (!seen) return []
    return scenesShown(seen, cut.context.job.options)
      .filter(({ mode }) => mode === 'halves')
      .map(({ startSeconds, endSeconds }) => ({
        from: inFinished(seen.beginSeconds + startSeconds),
        to: inFinished(seen.beginSeconds + endSeconds),
      }))
      .filter(({ from, to }) => to > from)
  })
}

type CaptionFrame = Pick<CaptionLook, 'fontSize' | 'lineHeight'> & { readonly frameHeight: number }

/**
 * Captions at the bottom would cover the mouth of the person in the lower half, so they end where the halves meet: on one
 * person's chest, above the other one's hair. A caption that is shown over a cut is placed by the longer part of its time.
 */
export function betweenHalves(
  captions: readonly SetCaption[],
  halves: readonly TimeSpan[],
  { fontSize, lineHeight, frameHeight }: CaptionFrame,
): readonly SetCaption[] {
  if (halves.length === 0) return captions
  return captions.map((caption) => {
    const { startTime, endTime, lines } = caption
    const within = halves.reduce(
      (sum, { from, to }) => sum + Math.max(0, Math.min(to, endTime) - Math.max(from, startTime)),
      0,
    )
    if (within <= (endTime - startTime) / 2) return caption
    return { ...caption, top: frameHeight / 2 - lines.length * lineHeight * fontSize }
  })
}
