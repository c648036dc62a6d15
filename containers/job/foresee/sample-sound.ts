import { rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { replacedField } from '../../../worker/contract/addresses/addresses-beside.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import { guardedGlobals, guardedInput } from '../../graph/compile-args.ts'
import { elementSounds } from '../../render/elements/element-sound.ts'
import type { ElementMedia } from '../../render/elements/open-element.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import type { Clip } from '../../timeline/clip.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { Fetched, JobContext } from '../job-context.ts'
import type { Cut } from '../cut/cut-footage.ts'
import type { Planned } from '../plan/plan-job.ts'
import { tryForPlan } from '../try-for-plan.ts'
import { meanOf } from '../../numbers/mean.ts'
import { settingOf, trackOf } from '../../graph/output-track.ts'

/** How many places of a sound are encoded, and how many seconds of each. */
const sampled = { places: 3, seconds: 4 }
const written = 'sample.nut'
/** Bits that the container of the samples adds to each second, and once. */
const tableBits = 1_200
const headBytes = 420

/**
 * The same plan with the bits a second of its sound after encoding and, if a source does not tell them, before. Encoders take
 * far fewer than they may where little is heard. Each sound is taken as its file has it, before it is cleaned or mixed.
 */
export async function withSoundBits(planned: Planned): Promise<Planned> {
  const { plan, clips, context } = planned
  const coding = trackOf(plan.tracks, 'audio')?.coding
  if (context.isPartial) return planned
  const tried = await tryForPlan(context, 'The sound', async (trying) => {
    const own: Clip[] = []
    for (const [i, clip] of clips.entries()) {
      const name = i < mostAsked && saysNoBits(clip.facts) ? planned.fetched.sources[i] : undefined
      const sound = name === undefined ? undefined : soundOf(clip, name)
      const bitRate = sound && (await rateOf(planned, sound, { trying, coding: asStored }))
      own.push(bitRate === undefined ? clip : withBits(clip, bitRate))
    }
    const [first, ...others] = own
    const isEncoded = plan.audio === 'encode' && coding !== undefined
    const mixed = mostHeard(planned, plan.durationSeconds)
    const seen = isEncoded ? await ratesOf(planned, mixed, { trying, coding }) : plan.soundBits
    const soundBits = Math.min(plan.soundBits * mostOver, seen)
    return { ...(first && { clips: [first, ...others] as const }), plan: { ...plan, soundBits } }
  })
  return { ...planned, ...tried }
}

/** The bits a second in this coding of all clips and what is mixed into them, in a sound that is so long. */
export async function sampledSoundRate(
  cut: Cut,
  coding: readonly string[],
  seconds: number,
): Promise<number | undefined> {
  const sounds = mostHeard(cut, seconds)
  if (cut.context.isPartial || sounds.length === 0) return undefined
  return tryForPlan(cut.context, 'The sound', async (trying) =>
    ratesOf(cut, sounds, { trying, coding }),
  )
}

const asStored = ['-c:a', 'copy']
/** The most files whose sound is sampled. */
const mostAsked = 4

function saysNoBits({ audio, video }: MediaFacts): boolean {
  return audio !== undefined && audio.bitRate === undefined && video.bitRate === undefined
}

function withBits(clip: Clip, bitRate: number): Clip {
  const { audio, ...facts } = clip.facts
  return { ...clip, facts: { ...facts, audio: audio && { ...audio, bitRate } } }
}

/** The results for the files of a job: its outputs have the same sound. */
const known = new WeakMap<Fetched, Map<string, number>>()

type Trial = { readonly trying: JobContext; readonly coding: readonly string[] }

/** The sound of a file. */
type Sound = {
  readonly name: string
  readonly demuxer: string
  readonly index: number
  readonly seconds: number
}
/** `share`: the share of the film in which it is heard; 0 for a sound that is made silent. */
type Heard = Sound & { readonly share: number }

function soundOf({ facts }: Clip, name: string): Sound | undefined {
  const { audio, format, durationSeconds: seconds } = facts
  return audio && { name, demuxer: demuxers[format], index: audio.index, seconds }
}

/** The sounds that are heard for most of the film. */
function mostHeard(cut: Cut, seconds: number): Heard[] {
  const all = [...filmSounds(cut), ...elementsHeard(cut, seconds)]
  return all.toSorted((a, b) => b.share - a.share).slice(0, mostAsked)
}

/** The sounds of all clips, or the one that replaces them. */
function filmSounds({ clips, fetched, replacement, context }: Cut): Heard[] {
  const joined = replacement?.clips ?? clips
  const files = replacement ? [fetched.beside.get(replacedField)] : fetched.sources
  const { volume: volumeOfAll } = context.job.options.audio ?? {}
  const whole = joined.reduce((sum, { facts }) => sum + facts.durationSeconds, 0)
  return joined.flatMap((clip, i) => {
    const sound = soundOf(clip, files[i] ?? '')
    const isSilent = volumeOfAll === 0 || clip.asked.volume === 0
    return sound ? [{ ...sound, share: isSilent ? 0 : sound.seconds / Math.max(whole, 0.04) }] : []
  })
}

function elementsHeard(cut: Cut, durationSeconds: number): Heard[] {
  const { elementMedia, context } = cut
  const { elements = [] } = context.job.options
  const { placed } = elementSounds(elements, elementMedia, { ...cut, durationSeconds })
  return placed.flatMap(({ index, span, element }) => {
    const media = elementMedia[index]
    const sound = media && elementSound(media)
    const seconds = element.effects?.volume === 0 ? 0 : span.end - span.start
    return sound ? [{ ...sound, share: seconds / Math.max(durationSeconds, 0.04) }] : []
  })
}

function elementSound({ path: name, facts }: ElementMedia): Sound | undefined {
  if (facts.kind === 'sound') {
    const { demuxer, streamIndex: index, seconds } = facts
    return { name, demuxer, index, seconds }
  }
  if (facts.kind !== 'movie' || !facts.media.audio) return undefined
  const { format, audio, durationSeconds: seconds } = facts.media
  return { name, demuxer: demuxers[format], index: audio.index, seconds }
}

/**
 * The bits a second of sounds that are joined and mixed: each counts for as long as it is heard. All together they take no more
 * than the encoder may make, or makes of one of them.
 */
async function ratesOf(
  planned: Pick<Planned, 'fetched'>,
  sounds: readonly Heard[],
  trial: Trial,
): Promise<number> {
  const kilobits = Number.parseFloat(settingOf(trial.coding, '-b:a') ?? 'Infinity')
  let [bits, most] = [0, kilobits * 1000]
  for (const { share, ...sound } of sounds) {
    const rate = share > 0 ? await rateOf(planned, sound, trial) : 0
    bits += share * rate
    most = Math.max(most, rate)
  }
  return Math.min(bits, most)
}

/** The bits a second of a sound in this coding, at a few places of its file. */
async function rateOf(
  { fetched }: Pick<Planned, 'fetched'>,
  sound: Sound,
  trial: Trial,
): Promise<number> {
  const ofJob = known.get(fetched) ?? new Map<string, number>()
  known.set(fetched, ofJob)
  const key = `${sound.name} ${trial.coding.join(' ')}`
  const rate = ofJob.get(key) ?? (await measuredRate(trial, sound))
  ofJob.set(key, rate)
  return rate
}

async function measuredRate({ trying, coding }: Trial, sound: Sound): Promise<number> {
  const places = Math.min(sampled.places, Math.ceil(sound.seconds / sampled.seconds))
  const seconds = Math.min(sampled.seconds, sound.seconds / places)
  const rates: number[] = []
  for (let i = 0; i < places; i++) {
    const from = Math.max(0, ((i + 0.5) / places) * sound.seconds - seconds / 2)
    rates.push(await sampleRate(trying.tools, sound, { coding, from, seconds }))
  }
  return meanOf(rates)
}

/** Encoders keep to their rates only roughly. */
const mostOver = 1.1

type Sample = Pick<Trial, 'coding'> & { readonly from: number; readonly seconds: number }

async function sampleRate(
  tools: ToolContext,
  { name, demuxer, index }: Sound,
  { coding, from, seconds }: Sample,
): Promise<number> {
  const args = [
    ...[...guardedGlobals, '-y', '-progress', 'pipe:1', '-stats_period', '0.5'],
    ...['-ss', from.toFixed(3), '-t', seconds.toFixed(3)],
    ...guardedInput(name, demuxer),
    ...['-map', `0:${index}`, ...coding, '-f', 'nut', `file:${written}`],
  ]
  await runFfmpeg(tools, { args, files: [] }, () => undefined)
  const file = path.join(tools.folder, written)
  const { size } = await stat(file)
  await rm(file)
  return Math.max(0, (size - headBytes) * 8) / seconds - tableBits
}
