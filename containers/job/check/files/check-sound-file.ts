import path from 'node:path'
import type { Check } from '../../../../worker/contract/job/check.ts'
import { readTool, type ToolContext } from '../../../ffmpeg/process/run-tool.ts'
import { guardedInput } from '../../../graph/compile-args.ts'
import type { Cut } from '../../cut/cut-footage.ts'
import { checkSound, measuresLoudness } from '../check-sound.ts'
import { checkDecoded, failed, passed, say } from '../check-tables.ts'
import { isIndexFirst } from '../film-tables.ts'
import { lookAtAll, mostSoundSeconds, type Look } from '../look-at-film.ts'
import { levelsOf, levelsPerSecond } from '../loudness-over-time.ts'
import { wantedSound, type SoundLooked } from '../wanted-sound.ts'
import { settingOf } from '../../../graph/output-track.ts'

/** A file of sound alone, as it was planned. */
type SoundToCheck = {
  readonly name: string
  /** Its demuxer, and the codec that players expect in such a file. */
  readonly demuxer: string
  readonly codec: string
  /** The sound that the file contains. */
  readonly is: HeldSound
  readonly plan: {
    readonly durationSeconds: number
    readonly channels: number
    readonly warnings: readonly string[]
    readonly track?: { readonly coding: readonly string[] } | undefined
  }
  /** The second of the film at which it begins. */
  readonly from: number
}

const soundTolerance = 0.12

/** Checks a whole sound: its length, whether it decodes, and whether it is heard where and as loud as it should be. */
export async function checkSoundFile(cut: Cut, file: SoundToCheck): Promise<Check[]> {
  const { name, demuxer, plan, from, is } = file
  const { durationSeconds } = plan
  const shown = {
    ...plan,
    audio: 'encode',
    excerpt: { start: from },
    sound: cut.sound ?? null,
  } as const
  const looked: SoundLooked = { planned: cut, film: { plan: shown, facts: { durationSeconds } } }
  const { tools } = cut.context
  const own = { input: { name, demuxer }, index: 'a:0' } as const
  const parts = wantedSound(looked)
  const wanted = (parts ?? []).flatMap(({ look }) => look ?? [])
  const looks: Look[] = [{ kind: 'sound', ...own, channels: is.channels }, ...wanted]
  if (measuresLoudness(looked)) looks.push({ kind: 'loudness', ...own })
  const { seen, complaint } = await lookAtAll(tools, looks, 'look')
  const [made = Buffer.alloc(0)] = seen
  const seconds = levelsOf(made).length / levelsPerSecond
  const found = checkSound(looked, {
    ...{ made, parts, bytesOf: (look) => seen[looks.indexOf(look)] },
    meter: seen[wanted.length + 1]?.toString('latin1'),
    channels: { due: plan.channels, made: is.channels },
    coding: plan.track?.coding,
  })
  const off = Math.min(durationSeconds, mostSoundSeconds) - seconds
  return [
    Math.abs(off) > soundTolerance
      ? failed('length', `It lasts ${say(seconds)} s; ${say(durationSeconds)} s were planned.`)
      : passed('length', `It lasts ${say(seconds)} s, as planned.`),
    checkDecoded(complaint),
    // Without a picture, a sound cannot be out of sync.
    ...found.filter(({ name: of, result }) => of !== 'sync' || result !== 'passed'),
    await checkSoundPlayback(tools, file),
  ]
}

type HeldSound = Awaited<ReturnType<typeof readSound>>

/** Reads a sound that this job has just written, so its head is trusted. */
export async function readSound(
  tools: ToolContext,
  { name, demuxer }: Pick<SoundToCheck, 'name' | 'demuxer'>,
) {
  const entries = ['-show_entries', 'stream=codec_name,sample_rate,channels:format=duration']
  const asked = ['-v', 'error', '-select_streams', 'a:0', ...entries, '-of', 'csv=p=0']
  const { stdout } = await readTool(tools, 'ffprobe', [...asked, ...guardedInput(name, demuxer)])
  const [codec = '', ...numbers] = stdout.trim().split(/[,\n]/)
  const [sampleRate = 0, channels = 0, seconds = 0] = numbers.map((text) => Number(text) || 0)
  return { codec, sampleRate, channels, seconds }
}

async function checkSoundPlayback(
  tools: ToolContext,
  { name, demuxer, codec, plan, is }: SoundToCheck,
): Promise<Check> {
  if (is.codec !== codec) return failed('playback', `Its sound is ${is.codec}, not ${codec}.`)
  const due = Number(settingOf(plan.track?.coding ?? [], '-ar'))
  if (due > 0 && is.sampleRate !== due) {
    return failed('playback', `It has ${is.sampleRate} samples a second; ${due} were planned.`)
  }
  if (demuxer === 'mov' && !(await isIndexFirst(path.join(tools.folder, name)))) {
    return failed(
      'playback',
      'Its index stands behind its sound, so it plays only once it is loaded.',
    )
  }
  return passed('playback', `Browsers play ${codec} as it is here.`)
}
