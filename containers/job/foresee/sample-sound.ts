import { rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import { guardedGlobals, guardedInput } from '../../graph/compile-args.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import type { Clip } from '../../timeline/clip.ts'
import type { Fetched, JobContext } from '../job-context.ts'
import type { Planned } from '../plan/plan-job.ts'
import { tryForPlan } from '../try-for-plan.ts'

/** How many places of a sound are encoded, and how many seconds of each. */
const sampled = { places: 3, seconds: 4 }
const written = 'sample.nut'
/** What the container of the samples adds, of each second and once. */
const tableBits = 1_200
const headBytes = 420

/**
 * The same plan, with the bits a second that its sound takes once it is encoded, and those that it has in a source that does not
 * say. Encoders take far fewer than they may where hardly anything is heard. The sound is taken as its source has it, before
 * it is cleaned or mixed.
 */
export async function withSoundBits(planned: Planned): Promise<Planned> {
  const { plan, clips, context } = planned
  const coding = plan.tracks.find(({ stream }) => stream.kind === 'audio')?.coding
  if (planned.replacement !== undefined || context.isPartial) return planned
  const place = clips.findIndex(({ facts }) => facts.audio !== undefined)
  const tried = await tryForPlan(context, 'The sound', async (trying) => {
    const own: Clip[] = []
    for (const [i, clip] of clips.entries()) {
      const isAsked = i < mostAsked && saysNoBits(clip.facts)
      const bitRate = isAsked ? await meanRate(planned, i, { trying, coding: asStored }) : undefined
      own.push(bitRate === undefined ? clip : withBits(clip, bitRate))
    }
    const [first, ...others] = own
    const isEncoded = plan.audio === 'encode' && place >= 0 && coding
    const seen = isEncoded ? await meanRate(planned, place, { trying, coding }) : plan.soundBits
    const soundBits = Math.min(plan.soundBits * mostOver, seen)
    return { ...(first && { clips: [first, ...others] as const }), plan: { ...plan, soundBits } }
  })
  return { ...planned, ...tried }
}

/** Bits a second of a sound that is coded without a loss, as the first clip with a sound has it. */
export async function losslessRate(
  cut: Pick<Planned, 'clips' | 'context' | 'fetched' | 'replacement'>,
  coding: readonly string[],
): Promise<number | undefined> {
  const place = cut.clips.findIndex(({ facts }) => facts.audio !== undefined)
  if (cut.replacement !== undefined || cut.context.isPartial || place < 0) return undefined
  return tryForPlan(cut.context, 'The sound', async (trying) =>
    meanRate(cut, place, { trying, coding }),
  )
}

const asStored = ['-c:a', 'copy']
/** How many files are asked for the bits of their sound. */
const mostAsked = 3

function saysNoBits({ audio, video }: MediaFacts): boolean {
  return audio !== undefined && audio.bitRate === undefined && video.bitRate === undefined
}

function withBits(clip: Clip, bitRate: number): Clip {
  const { audio, ...facts } = clip.facts
  return { ...clip, facts: { ...facts, audio: audio && { ...audio, bitRate } } }
}

/** What was tried of the files of a job: its outputs have the same sound. */
const known = new WeakMap<Fetched, Map<string, number>>()

type Trial = { readonly trying: JobContext; readonly coding: readonly string[] }

/** Bits a second of a sound that is coded in this way, at some places of its file. */
async function meanRate(
  { clips, fetched }: Pick<Planned, 'clips' | 'fetched'>,
  place: number,
  trial: Trial,
): Promise<number> {
  const ofJob = known.get(fetched) ?? new Map<string, number>()
  known.set(fetched, ofJob)
  const key = `${place} ${trial.coding.join(' ')}`
  const [facts, name] = [clips[place]?.facts, fetched.sources[place]]
  if (!facts || !name) throw new Error(`A plan of ${clips.length} clips without the file ${place}`)
  const rate = ofJob.get(key) ?? (await measuredRate(trial, { facts, name }))
  ofJob.set(key, rate)
  return rate
}

async function measuredRate(
  { trying, coding }: Trial,
  { facts, name }: Pick<Sample, 'facts' | 'name'>,
): Promise<number> {
  const { durationSeconds } = facts
  const seconds = Math.min(durationSeconds, sampled.seconds)
  const places = durationSeconds < sampled.places * seconds ? 1 : sampled.places
  const rates: number[] = []
  for (let i = 0; i < places; i++) {
    const from = Math.max(0, ((i + 0.5) / places) * durationSeconds - seconds / 2)
    rates.push(await rateOf(trying.tools, { name, facts, coding, from, seconds }))
  }
  return rates.reduce((sum, one) => sum + one, 0) / rates.length
}

/** Encoders keep to their rates only about. */
const mostOver = 1.1

type Sample = { readonly name: string; readonly facts: MediaFacts } & {
  readonly coding: readonly string[]
  readonly from: number
  readonly seconds: number
}

async function rateOf(
  tools: Planned['context']['tools'],
  { name, facts, coding, from, seconds }: Sample,
): Promise<number> {
  const args = [
    ...[...guardedGlobals, '-y', '-progress', 'pipe:1', '-stats_period', '0.5'],
    ...['-ss', from.toFixed(3), '-t', seconds.toFixed(3)],
    ...guardedInput(name, demuxers[facts.format]),
    ...['-map', `0:${facts.audio?.index ?? 0}`, ...coding, '-f', 'nut', `file:${written}`],
  ]
  await runFfmpeg(tools, { args, files: [] }, () => undefined)
  const file = path.join(tools.folder, written)
  const { size } = await stat(file)
  await rm(file)
  return Math.max(0, (size - headBytes) * 8) / seconds - tableBits
}
