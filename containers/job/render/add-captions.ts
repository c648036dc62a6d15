import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Captions } from '../../../worker/contract/options/captions.ts'
import { maxTranscriptionSeconds } from '../../../worker/contract/limits.ts'
import { isBuiltInFont } from '../../../worker/contract/options/fonts.ts'
import { JobError } from '../../errors/job-error.ts'
import { captionLanguage } from '../../insight/captions/caption-language.ts'
import { makeCaptions, type Caption } from '../../insight/captions/make-captions.ts'
import { CaptionFault, readOwnCaptions } from '../../insight/captions/own-captions.ts'
import { setCaptions, wordsToDraw } from '../../insight/captions/set-captions.ts'
import { writeVtt } from '../../insight/captions/write-captions.ts'
import type { CutSources } from '../../insight/carry/plan-hearing.ts'
import { carrySpeech } from '../../insight/transcribe-video.ts'
import { holdsCaptions, type CaptionFile } from '../../render/captions/caption-file.ts'
import { planCaptionLook } from '../../render/captions/caption-look.ts'
import { shapeClips } from '../../render/frame/shape-clips.ts'
import { missingWarning } from '../../render/captions/text-picture.ts'
import type { CaptionTrack } from '../../text/caption-track.ts'
import { segmentCuts } from '../../timeline/cut-list.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import { frameCount } from '../../timeline/frame-spans.ts'
import { nothingRemoved, type Removed } from '../../timeline/list-cuts.ts'
import type { Speech } from '../../timeline/speech.ts'
import { timelineOf } from '../../timeline/timeline.ts'
import type { JobContext } from '../job-context.ts'
import type { Sources } from './render-output.ts'
import { defaultFont, textStepMs, type TextFonts } from '../measure/text-fonts.ts'

/** The files and fonts that captions may name. */
export type CaptionMaterial = {
  readonly beside: ReadonlyMap<string, string>
  readonly fonts: TextFonts
}

type Said = {
  readonly speech: Speech
  readonly isCues: boolean
  readonly warnings?: readonly string[]
}

/** Finds what the captions say, in the times of the finished video, and sets it for its frame. */
export async function addCaptions(
  context: JobContext,
  sources: Sources,
  material: CaptionMaterial,
): Promise<Sources> {
  const { captions } = context.job.options
  if (!captions) return sources
  const durationSeconds = secondsLeft(context, sources)
  const said = captions.source
    ? await ownCaptions(context, captions, {
        sources: cutSources(context, sources),
        material,
        durationSeconds,
      })
    : heardCaptions(sources)
  const { textWarnings = [] } = sources
  if ('why' in said) return { ...sources, textWarnings: [...textWarnings, said.why] }
  const warnings = [...(said.warnings ?? [])]
  const burns = captions.burn ?? captions.embed !== true
  const field = isBuiltInFont(captions.font ?? defaultFont) ? 'captions' : 'captions.font'
  const step = { field, doing: 'setting the captions in lines', mostMs: textStepMs }
  const request = { ...said, sources, material, durationSeconds }
  const burnt = burns
    ? await context.during(step, async () => burntTrack(context, captions, request))
    : undefined
  warnings.push(...(burnt?.warnings ?? []))
  const { outputFormat } = context.job.options
  if (captions.embed && !holdsCaptions(outputFormat)) {
    warnings.push(`captions.embed: ${outputFormat} files have no track for captions; left out.`)
  }
  return {
    ...sources,
    captions: burnt?.track,
    captionFile: captions.embed ? await embedded(captions, said, durationSeconds) : undefined,
    textWarnings: [...textWarnings, ...warnings],
  }
}

function heardCaptions({ heard }: Sources): Said | { why: string } {
  switch (heard?.outcome) {
    case 'heard':
      return heard.speech.segments.length > 0
        ? { speech: heard.speech, isCues: false }
        : { why: 'captions: nobody speaks in this video, so it has none.' }
    case 'failed':
      return { why: `captions: left out, because nothing was understood. ${heard.message}` }
    case 'too-long':
      return {
        why: `captions: the video is longer than ${maxTranscriptionSeconds} seconds, so it was not listened to.`,
      }
    case 'unasked':
    case undefined:
      throw new Error('Nobody listened for the captions')
  }
}

type Own = { sources: CutSources; material: CaptionMaterial; durationSeconds: number }

/** Own captions have the times of the joined clips; they are moved past the cuts like words that are heard. */
async function ownCaptions(
  { tools, during }: JobContext,
  { source, language }: Captions,
  { sources, material, durationSeconds }: Own,
): Promise<Said | { why: string }> {
  const name = material.beside.get('captions.source.url')
  const field = name === undefined ? 'captions.source' : 'captions.source.url'
  const file = name === undefined ? undefined : await readFile(path.join(tools.folder, name))
  try {
    const { speech, isCues, overlaps } = await during(
      { field, doing: 'reading these captions', mostMs: textStepMs },
      () => readOwnCaptions(source ?? {}, file, language),
    )
    const carried = carrySpeech(speech, sources, durationSeconds)
    if (carried.segments.length > 0) {
      return {
        ...{ speech: { ...carried, language: speech.language }, isCues },
        warnings: overlapWarning(overlaps),
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

async function burntTrack(
  { job }: JobContext,
  captions: Captions,
  {
    speech,
    isCues,
    sources,
    material,
    durationSeconds,
  }: Said & Omit<Own, 'sources'> & { sources: Sources },
): Promise<{ track: CaptionTrack; warnings: string[] }> {
  const { warnings, maxLines, maxWidth, ...look } = planCaptionLook(
    captions,
    shapeClips(sources.clips, job.options).frame,
  )
  const drawn = wordsToDraw(speech, captions.uppercase ?? false)
  const text = `${drawn.segments.map((segment) => segment.text).join(' ')} `
  const words = drawn.segments.flatMap((segment) => segment.words ?? []).map((word) => word.text)
  const lettering = await material.fonts.lettering(
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
  await material.fonts.lay(families)
  const shown = set.captions.filter(({ lines }) => lines.length > 0)
  return {
    track: { captions: shown, look, families },
    warnings: [...warnings, ...missingWarning('captions', set.missing)],
  }
}

async function embedded(
  { language }: Captions,
  { speech, isCues }: Said,
  durationSeconds: number,
): Promise<CaptionFile> {
  const toMs = (seconds: number): number => Math.round(seconds * 1000)
  const cues = speech.segments.map(({ text, startTime, endTime }): Caption => ({
    ...{ startMs: toMs(startTime), endMs: toMs(endTime) },
    lines: [text],
  }))
  const list = isCues ? cues : await makeCaptions(speech, durationSeconds)
  return { text: writeVtt(list), language: captionLanguage(language ?? speech.language) }
}

/** The sources with what is cut out of them, also if they have no sound to cut. */
function cutSources(
  { job }: JobContext,
  { clips: all, sound }: Sources,
): { clips: Sources['clips']; sound: { removed: Removed } } {
  const { removeSegments } = job.options
  const clips = all.map(({ asked }) => asked)
  const asked = segmentCuts(timelineOf(all), { clips, removeSegments })
  return {
    clips: all,
    sound: { removed: sound?.removed ?? { ...nothingRemoved, all: asked, asked } },
  }
}

function secondsLeft(context: JobContext, sources: Sources): number {
  const { totalFrames, frameRate } = timelineOf(sources.clips)
  const { removed } = cutSources(context, sources).sound
  return (totalFrames - frameCount(removed.all)) / fpsOf(frameRate)
}
