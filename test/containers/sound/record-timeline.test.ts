import { copyFile, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { cutTimeline } from '../../../containers/timeline/cut-list.ts'
import { measureMedia } from '../../../containers/ffmpeg/measure-media.ts'
import { openClip } from '../../../containers/render/frame/open-clip.ts'
import { prepareSound } from '../../support/containers/sound/prepare-sound.ts'
import { speechRate, speechSoundPath } from '../../../containers/sound/speech-sound.ts'
import type { VoiceDetector } from '../../../containers/sound/pauses/voice-activity.ts'
import { optionsSchema } from '../../../worker/contract/options/options.ts'
import { soundHearing } from '../../support/containers/sound/local-voices.ts'
import {
  joined,
  silence,
  speech,
  videoWithSound,
  withNoise,
} from '../../support/containers/sound/speech.ts'
import { floatsIn } from '../../support/containers/sound/samples.ts'
import { aToolContext } from '../../support/containers/tool-context.ts'
import { campaign } from '../../support/node/campaign.ts'

type Changes = Partial<typeof soundHearing>

async function prepare(file: string, asked: Record<string, unknown>, changes: Changes = {}) {
  const tools = await aToolContext()
  await copyFile(file, path.join(tools.folder, 'in0'))
  const request = { path: 'in0', field: 'fileUrl', maxSeconds: 100 }
  const clips = [openClip('in0', await measureMedia(tools, request), {})]
  const options = optionsSchema.parse(asked)
  const joined = cutTimeline(clips, options)
  const sound = await prepareSound(tools, {
    clips,
    ...joined,
    options,
    ...soundHearing,
    ...changes,
  })
  return { sound, tools }
}

const rawSpeech = async (folder: string) =>
  floatsIn(await readFile(path.join(folder, speechSoundPath)))

describe('recordTimeline', () => {
  campaign('records the raw sound once, however it is cut and used', async () => {
    const file = await videoWithSound(await withNoise(await speech([0.5, 1.5, 0.5]), 'pink', 15))
    const removeSegments = [{ startTime: 1, endTime: 2 }]
    const plain = await prepare(file, { removeSilence: true })
    const changed = await prepare(file, {
      removeSilence: true,
      removeNoise: true,
      removeSegments,
    })
    const raw = await rawSpeech(plain.tools.folder)
    expect(raw).toHaveLength(plain.sound?.speech?.samples ?? 0)
    expect(await rawSpeech(changed.tools.folder)).toEqual(raw)
    expect(changed.sound?.speech).toEqual(plain.sound?.speech)
    const writes = plain.tools.commands.filter(({ args }) => args.includes('file:raw-speech.f32'))
    expect(writes).toHaveLength(1)
    expect(writes[0]?.args).toContain('file:sound.f32')
  })

  it('packs what it learns of noise only if there is room for it', async () => {
    const file = await videoWithSound(await withNoise(await speech([0.3, 0.3]), 'pink', 15))
    const kept: number[] = []
    const foreseen: number[] = []
    const keeping = (hasRoom: boolean): Changes => ({
      kept: {
        hashes: ['a'],
        bytes: {
          find: async () => Promise.resolve(undefined),
          takes: (bytes) => foreseen.push(bytes) > 0 && hasRoom,
          keep: async (_, bytes) => Promise.resolve(void kept.push(bytes.length)),
        },
      },
    })
    await prepare(file, { removeNoise: true }, keeping(false))
    expect([foreseen.length, kept]).toEqual([1, []])
    await prepare(file, { removeNoise: true }, keeping(true))
    expect([foreseen.length, kept.length]).toEqual([2, 1])
  })

  it('says where somebody speaks, in blocks of the raw sound', async () => {
    const said = await speech([2, 2, 2])
    const { sound } = await prepare(await videoWithSound(said), { removeSilence: true })
    const activity = sound?.speech?.activity
    if (!activity) throw new Error('Nobody listened')
    const { blockSamples, probabilities } = activity
    expect(probabilities).toHaveLength(Math.ceil((sound?.speech?.samples ?? 0) / blockSamples))
    const at = (seconds: number) => probabilities[Math.floor((seconds * speechRate) / blockSamples)]
    expect(at(1)).toBeLessThan(0.1)
    expect(at(2.8)).toBeGreaterThan(0.9)
    expect(at(said.length / 48_000 - 1)).toBeLessThan(0.1)
  })

  campaign('runs the voice detector only if pauses or words are requested', async () => {
    const file = await videoWithSound(joined([silence(1), await speech([0.2, 0.2])]))
    const louder = await prepare(file, { normalizeAudio: true })
    expect(louder.sound?.speech).toBeUndefined()
    const heard = await prepare(file, { normalizeAudio: true }, { isTranscribed: true })
    expect(heard.sound?.speech).toMatchObject({ path: speechSoundPath, activity: undefined })
  })

  campaign('stops listening when the sound cannot be decoded', async () => {
    const file = await videoWithSound(await speech([0.2, 0.2]))
    const tools = await aToolContext()
    await copyFile(file, path.join(tools.folder, 'in0'))
    const facts = await measureMedia(tools, { path: 'in0', field: 'fileUrl', maxSeconds: 100 })
    const clips = [openClip('gone', facts, {})]
    const listening = { isStopped: false }
    const voices: VoiceDetector = {
      listen: () => ({
        grown: () => undefined,
        finish: async () => Promise.reject(new Error('asked for what there is not')),
        stop: async () => {
          listening.isStopped = true
        },
      }),
    }
    const options = optionsSchema.parse({ removeSilence: true })
    const joined = cutTimeline(clips, {})
    const preparing = prepareSound(tools, { clips, ...joined, options, ...soundHearing, voices })
    await expect(preparing).rejects.toThrow('could not be processed')
    expect(listening.isStopped).toBe(true)
  })
})
