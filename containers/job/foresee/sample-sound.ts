import { rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { stackOf } from '../../errors/log.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import { guardedGlobals, guardedInput } from '../../graph/compile-args.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import type { Planned } from '../plan/plan-job.ts'

/** How many places of a sound are encoded, and how many seconds of each. */
const sampled = { places: 3, seconds: 4 }
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
  try {
    const [first, ...others] = await Promise.all(
      clips.map(async (clip, i) => ({ ...clip, facts: await withOwnBits(planned, clip.facts, i) })),
    )
    const place = clips.findIndex(({ facts }) => facts.audio !== undefined)
    const seen =
      plan.audio === 'encode' && place >= 0 && coding
        ? await meanRate(planned, place, coding)
        : plan.soundBits
    const soundBits = Math.min(plan.soundBits * mostOver, seen)
    return { ...planned, ...(first && { clips: [first, ...others] }), plan: { ...plan, soundBits } }
  } catch (error) {
    context.tools.signal.throwIfAborted()
    context.log('warn', 'The sound of a plan was not sampled', { fault: stackOf(error) })
    return planned
  }
}

async function withOwnBits(planned: Planned, facts: MediaFacts, i: number): Promise<MediaFacts> {
  const { audio, video } = facts
  if (!audio || audio.bitRate !== undefined || video.bitRate !== undefined) return facts
  return { ...facts, audio: { ...audio, bitRate: await meanRate(planned, i, ['-c:a', 'copy']) } }
}

async function meanRate(
  { clips, fetched, context }: Planned,
  place: number,
  coding: readonly string[],
): Promise<number> {
  const [facts, name] = [clips[place]?.facts, fetched.sources[place]]
  if (!facts || !name) throw new Error(`A plan of ${clips.length} clips without the file ${place}`)
  const { durationSeconds } = facts
  const seconds = Math.min(durationSeconds, sampled.seconds)
  const places = durationSeconds < sampled.places * seconds ? 1 : sampled.places
  const rates: number[] = []
  for (let i = 0; i < places; i++) {
    const from = Math.max(0, ((i + 0.5) / places) * durationSeconds - seconds / 2)
    rates.push(await rateOf(context.tools, { name, facts, coding, from, seconds }, place))
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
  place: number,
): Promise<number> {
  const written = `sample${place}.nut`
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
