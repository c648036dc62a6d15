import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { samplesOf } from '../../containers/sound/read-pcm.ts'
import { NoiseListener } from '../../containers/sound/noise-profile.ts'
import { reduceNoise } from '../../containers/sound/reduce-noise.ts'
import { VoiceListener } from '../../containers/sound/voice-gains.ts'
import { describeMachine } from '../machine.ts'
import { readOptions } from '../read-options.ts'
import { makePassage, speakSentences } from '../speech/make-sample.ts'
import { sentences } from '../speech/passages.ts'
import { filtered, rate as speechRate, voices } from '../speech/voices.ts'
import { mixAt, rate, siSdr } from './mix.ts'
import { noises } from './noises.ts'
import { fetchRecordings } from './recorded-noises.ts'
import { denoisedByRnnoise } from './rnnoise.ts'

export const noiseHelp = `Usage: npm run bench -- noise [options]

Puts noises under spoken sentences and takes them out as removeNoise does; then the same with clean speech and music.
Prints how near each is to the clean voice (SI-SDR in dB): as it is, with steady noise taken out, by RNNoise 0.2, and as
removeNoise makes it, which has to be at least as good as the best of the others.

  --recorded DIR  recordings from a Debian package as well, which apt-get downloads into this folder (44 MB)
`

const ratios = [8, 18] as const
const underVoices = ['pink', 'rain', 'street', 'crowd', 'hum', 'clatter'] as const
const recorded = ['street', 'market', 'stadium', 'factory'] as const
/** The least similarity in dB that clean speech and music must keep. */
const leastFidelity = 45
/** How much worse than the best of the others noisy speech may come out: as much as a figure is rounded. */
const tolerance = 0.05
const spoken = 4

type Cleaned = { sound: Float32Array; cpuSeconds: number }
type Clean = (sound: Float32Array, isSteadyOnly?: boolean) => Promise<Cleaned>

export async function runNoise(args: readonly string[], stop: AbortSignal): Promise<number> {
  const { recorded: folder } = readOptions(args, { recorded: { type: 'string' } }, noiseHelp)
  const workFolder = await mkdtemp(path.join(tmpdir(), 'spool-bench-noise-'))
  const clean: Clean = async (sound, isSteadyOnly = false) => {
    stop.throwIfAborted()
    return cleaned(workFolder, { sound, isSteadyOnly })
  }
  const say = (...columns: readonly string[]): void => {
    process.stdout.write(
      `${columns.map((column, i) => column.padEnd(i === 0 ? 22 : 10)).join('')}\n`,
    )
  }
  try {
    say(`${describeMachine()}\n`)
    const voice = await spokenVoice()
    say('noise', 'raw', 'steady', 'RNNoise', 'both', 'of real time')
    const broken: string[] = []
    for (const [name, noise] of await allNoises(voice.length / rate, folder)) {
      for (const ratio of ratios)
        broken.push(
          ...(await measure(clean, say, {
            name: `${name}, ${ratio} dB`,
            voice,
            noisy: mixAt(voice, noise, ratio),
          })),
        )
    }
    broken.push(...(await untouched(clean, say, voice, folder)))
    for (const fault of broken) say(fault)
    say(broken.length === 0 ? 'ok' : 'below the limit')
    return broken.length === 0 ? 0 : 1
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}

type Say = (...columns: readonly string[]) => void
type Noisy = { name: string; voice: Float32Array; noisy: Float32Array }

async function measure(clean: Clean, say: Say, { name, voice, noisy }: Noisy): Promise<string[]> {
  const steady = siSdr(voice, (await clean(noisy, true)).sound)
  const { sound, cpuSeconds } = await clean(noisy)
  const both = siSdr(voice, sound)
  const raw = siSdr(voice, noisy)
  const share = (cpuSeconds * rate) / voice.length
  const rnnoise = siSdr(voice, await denoisedByRnnoise(noisy))
  say(name, ...[raw, steady, rnnoise, both].map((db) => db.toFixed(1)), share.toFixed(3))
  const least = Math.max(raw, steady, rnnoise) - tolerance
  return both < least
    ? [`${name}: ${both.toFixed(1)} dB, at least ${least.toFixed(1)} expected`]
    : []
}

async function untouched(
  clean: Clean,
  say: Say,
  voice: Float32Array,
  folder: string | undefined,
): Promise<string[]> {
  const music = await noises.music(voice.length / rate)
  const pieces: [string, Float32Array][] = [
    ['clean speech', voice],
    ['music', music],
    ['speech, music 10 dB', mixAt(voice, music, 10)],
  ]
  if (folder !== undefined) {
    const { piece } = await fetchRecordings(folder)
    for (const name of ['electronic', 'blues', 'piano'] as const)
      pieces.push([name, (await piece(name)).subarray(20 * rate, 50 * rate)])
  }
  const broken: string[] = []
  for (const [name, sound] of pieces) {
    const kept = siSdr(sound, (await clean(sound)).sound)
    say(name, '', '', '', kept.toFixed(1))
    if (kept < leastFidelity)
      broken.push(`${name}: ${kept.toFixed(1)} dB, at least ${leastFidelity} expected`)
  }
  return broken
}

async function spokenVoice(): Promise<Float32Array> {
  const { samples } = makePassage(await speakSentences(voices, sentences.slice(0, spoken)))
  return filtered(samples, 'anull', { from: speechRate, to: rate })
}

async function allNoises(
  seconds: number,
  folder: string | undefined,
): Promise<[string, Float32Array][]> {
  const found: [string, Float32Array][] = []
  for (const name of underVoices) found.push([name, await noises[name](seconds)])
  if (folder === undefined) return found
  const { noise } = await fetchRecordings(folder)
  for (const name of recorded) found.push([`${name}, recorded`, await noise(name)])
  return found
}

async function cleaned(
  folder: string,
  { sound, isSteadyOnly }: { sound: Float32Array; isSteadyOnly: boolean },
): Promise<Cleaned> {
  const files = { sound: path.join(folder, 'sound'), voiceGains: path.join(folder, 'gains') }
  const stereo = Float32Array.from({ length: sound.length * 2 }, (_, i) => sound[i >> 1] ?? 0)
  await writeFile(files.sound, stereo)
  const before = process.cpuUsage()
  const listener = new NoiseListener([])
  listener.push(stereo)
  const voice = await VoiceListener.open(files.voiceGains, [])
  voice.push(stereo)
  const planned = await voice.finish()
  const known = {
    profile: listener.finish(),
    treatmentAt: isSteadyOnly ? () => ({ strength: 1, blend: 0 }) : planned,
  }
  await reduceNoise(files, known, new AbortController().signal, () => undefined)
  const { user, system } = process.cpuUsage(before)
  const bytes = await readFile(files.sound)
  const whole = samplesOf(Buffer.from(Uint8Array.from(bytes).buffer), bytes.length)
  return { sound: whole.filter((_, i) => i % 2 === 0), cpuSeconds: (user + system) / 1e6 }
}
