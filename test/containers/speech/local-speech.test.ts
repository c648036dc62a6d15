import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  createLocalSpeech,
  type LocalSpeechSettings,
} from '../../../containers/speech/local-speech.ts'
import { SpeechThread } from '../../../containers/speech/local/speech-thread-client.ts'
import { SpeechFailure, type SpeechAudio } from '../../../containers/speech/speech-provider.ts'
import { makeFile } from '../../support/node/fixtures.ts'
import { tinyWhisper } from '../../support/containers/models/tiny-whisper.ts'
import { aToolContext } from '../../support/containers/tool-context.ts'
import { campaign } from '../../support/node/campaign.ts'

/** Finnish: no word of it is English. */
const foreign = 'Taenaeaen puhumme uusista kirjoista ja niiden kirjoittajista Helsingissae.'

const settings: LocalSpeechSettings = { timeoutSeconds: 300 }
const thread = new SpeechThread({ modelDir: undefined, stepTimeoutMs: 300_000 })
const speech = createLocalSpeech(thread, settings)
afterAll(() => thread.close())

const samples = ['-ac', '1', '-ar', '16000', '-c:a', 'pcm_f32le', '-f', 'f32le']

/** Two sentences, the first after this much silence, the other 1.5 s behind it. */
async function twoSentences(silence = 1): Promise<SpeechAudio> {
  const say = (text: string) => ['-f', 'lavfi', '-i', `flite=text='${text}':voice=slt`]
  const graph = `[0]aresample=16000,adelay=${silence * 1000},apad=pad_dur=1.5[a];[1]aresample=16000,apad=pad_dur=1[b];[a][b]concat=n=2:v=0:a=1`
  return audioOf([
    ...say('Most visitors spend an hour in the garden every week.'),
    ...say('You can borrow my bicycle if you bring it back.'),
    ...['-filter_complex', graph],
  ])
}

async function audioOf(input: readonly string[]): Promise<SpeechAudio> {
  const file = await makeFile('f32', [...input, ...samples])
  return { path: file, format: 'f32le', durationSeconds: 10 }
}

describe('createLocalSpeech', () => {
  it('transcribes sentence by sentence, with the time of each word', async () => {
    const tools = await aToolContext()
    const heard = await speech.transcribe(await twoSentences(), tools)
    expect(heard).toMatchObject({ language: 'en', confidence: expect.closeTo(0.97, 1) as unknown })
    expect(heard).not.toHaveProperty('doubt')
    const { segments } = heard
    expect(segments.map(({ text }) => text)).toEqual([
      'Most visitors spend an hour in the garden every week.',
      'You can borrow my bicycle if you bring it back.',
    ])
    const [first, second] = segments
    expect(Math.abs((first?.startTime ?? 0) - 1.1)).toBeLessThan(0.3)
    expect((second?.startTime ?? 0) - (first?.endTime ?? 0)).toBeGreaterThan(1)
    const words = segments.flatMap((segment) => segment.words ?? [])
    expect(words).toHaveLength(20)
    for (const [index, word] of words.entries()) {
      expect(word.endTime).toBeGreaterThan(word.startTime)
      expect(words[index + 1]?.startTime ?? Infinity).toBeGreaterThanOrEqual(word.endTime)
    }
    expect(await readdir(tools.folder)).toEqual([])
  })

  it('writes the same words at the same times, wherever the sound begins', async () => {
    const wordsOf = async (audio: SpeechAudio, before: number) => {
      const { segments } = await speech.transcribe(audio, await aToolContext())
      const words = segments.flatMap((segment) => segment.words ?? [])
      return words.map(({ startTime, endTime, ...said }) => ({
        ...{ text: said.text, startTime: startTime + before, endTime: endTime + before },
      }))
    }
    const audio = await twoSentences(4)
    const later = 4_321
    const { folder } = await aToolContext()
    const cut = path.join(folder, 'later.f32')
    await writeFile(cut, (await readFile(audio.path)).subarray(later * 4))
    const [whole, part] = [
      await wordsOf(audio, 0),
      await wordsOf({ ...audio, path: cut }, later / 16_000),
    ]
    expect(part.map(({ text }) => text)).toEqual(whole.map(({ text }) => text))
    for (const [i, word] of part.entries()) {
      expect(word.startTime).toBeCloseTo(whole[i]?.startTime ?? 0, 6)
      expect(word.endTime).toBeCloseTo(whole[i]?.endTime ?? 0, 6)
    }
  })

  it('writes names to know where they are said, and nowhere else', async () => {
    const names = ['Łódź', 'Spool', 'Kowalczyk', 'Reykjavik']
    const hear = async (audio: SpeechAudio) => {
      const { segments } = await speech.transcribe(audio, await aToolContext(), { names })
      return segments.map(({ text }) => text).join(' ')
    }
    const text = 'The factory in woodge makes most of the parts.'
    const polish = await audioOf(['-f', 'lavfi', '-i', `flite=text='${text}':voice=slt`])
    expect(await hear(polish)).toBe('The factory in Łódź makes most of the parts.')
    expect(await hear(await twoSentences())).toBe(
      'Most visitors spend an hour in the garden every week. You can borrow my bicycle if you bring it back.',
    )
  })

  it('writes nothing if nobody speaks', async () => {
    const noise = await audioOf(['-f', 'lavfi', '-i', 'anoisesrc=c=pink:d=5:a=0.3:seed=1'])
    const silence = await audioOf(['-f', 'lavfi', '-i', 'anullsrc=d=5'])
    const tools = await aToolContext()
    expect((await speech.transcribe(noise, tools)).segments).toEqual([])
    expect(await speech.transcribe(silence, tools)).toEqual({
      language: 'en',
      confidence: expect.closeTo(1, 1) as unknown,
      segments: [],
    })
  })

  campaign('refuses speech with too low a score for English, and names the score', async () => {
    const strict = createLocalSpeech(thread, { ...settings, languageFloor: -0.001 })
    const refused = strict.transcribe(await twoSentences(), await aToolContext())
    await expect(refused).rejects.toThrow(
      /^Transcription failed: language not supported by the local provider \(score -0\.\d\d/,
    )
    await expect(refused).rejects.toBeInstanceOf(SpeechFailure)
  })

  it.each([
    ['slt', 'Stop talking.'],
    ['awb', 'How old is your daughter?'],
    ['awb', 'Read the instructions carefully before starting.'],
    ['awb', 'Let us begin.'],
  ])('refuses no short sentence that fills its sound: %s, %s', async (voice, text) => {
    const trimmed = 'silenceremove=start_periods=1:start_threshold=-50dB'
    const audio = await audioOf([
      ...['-f', 'lavfi', '-i', `flite=text='${text}':voice=${voice}`],
      ...['-af', `${trimmed},areverse,${trimmed},areverse`],
    ])
    const { segments } = await speech.transcribe(audio, await aToolContext())
    expect(segments.map((segment) => segment.text).join(' ')).toMatch(/\w{3}/)
  })

  it('returns a text that may not be English, with a warning', async () => {
    // As other languages come to a recogniser of English: a voice whose consonants say nothing to it.
    const odd = await audioOf([...['-f', 'lavfi', '-i', `flite=text='${foreign}':voice=slt`]])
    const open = createLocalSpeech(thread, { ...settings, languageFloor: -9 })
    const heard = await open.transcribe(odd, await aToolContext())
    expect(heard.confidence).toBeLessThan(0.5)
    expect(heard.doubt).toMatch(
      /^it is not certain that English is spoken, .* \(confidence 0\.\d\d\)\.$/,
    )
    expect(heard.segments.length).toBeGreaterThan(0)
  })

  it('accepts speech in which it recognised nothing, warns that somebody speaks, and refuses a text with that score', async () => {
    const hearing = (segments: object[]) =>
      createLocalSpeech(
        Object.assign(new SpeechThread({ modelDir: undefined, stepTimeoutMs: 1 }), {
          transcribe: async () =>
            Promise.resolve({ language: 'en', segments, englishScore: -1.5, confidence: 0.01 }),
        }),
        settings,
      )
    const audio = await twoSentences()
    const { segments, doubt } = await hearing([]).transcribe(audio, await aToolContext())
    expect(segments).toEqual([])
    expect(doubt).toMatch(/^somebody seems to speak, .* understood nothing/)
    const madeUp = hearing([{ startTime: 0, endTime: 1, text: 'so' }])
    await expect(madeUp.transcribe(audio, await aToolContext())).rejects.toThrow('not supported')
  })

  it('serves several jobs at once, and drops a canceled one', async () => {
    const audio = await twoSentences()
    const controller = new AbortController()
    const canceled = speech.transcribe(audio, await aToolContext({ signal: controller.signal }))
    const kept = speech.transcribe(audio, await aToolContext())
    controller.abort(new Error('no longer wanted'))
    await expect(canceled).rejects.toThrow('no longer wanted')
    expect((await kept).segments).toHaveLength(2)
  })

  it('continues if its thread dies', async () => {
    const audio = await twoSentences()
    const begun = Promise.withResolvers<void>()
    const tools = await aToolContext({ onCommand: () => begun.resolve() })
    const transcribed = speech.transcribe(audio, tools)
    await begun.promise
    await thread.close()
    expect((await transcribed).segments).toHaveLength(2)
  })

  campaign('ends a window that takes too long', async () => {
    const hastyThread = new SpeechThread({ modelDir: undefined, stepTimeoutMs: 1 })
    const hasty = createLocalSpeech(hastyThread, { ...settings, timeoutSeconds: 0.001 })
    const refused = hasty.transcribe(await twoSentences(), await aToolContext())
    await expect(refused).rejects.toThrow('Transcription timed out after 0.001 seconds.')
    await hastyThread.close()
  })

  it('says that a sound cannot be read, or a model not loaded, without naming paths', async () => {
    const tools = await aToolContext()
    const file = path.join(tools.folder, 'sound')
    await writeFile(file, 'not a sound')
    const broken = { path: file, format: 'mp3' as const, durationSeconds: 1 }
    await expect(speech.transcribe(broken, tools)).rejects.toThrow('could not be read')

    const otherThread = new SpeechThread({ modelDir: '/nowhere', stepTimeoutMs: 300_000 })
    const other = createLocalSpeech(otherThread, settings)
    const audio = await twoSentences()
    await copyFile(audio.path, file)
    const failed = other.transcribe({ ...audio, path: file }, tools)
    await expect(failed).rejects.toThrow(/^Transcription failed in the local provider\.$/)
    await otherThread.close()
  })

  it('writes in the language that a Whisper model finds, and refuses none', async () => {
    const model = await tinyWhisper()
    const whisperThread = new SpeechThread({ modelDir: model, stepTimeoutMs: 300_000 })
    onTestFinished(() => whisperThread.close())
    await whisperThread.prepare()
    const strict = { ...settings, languageFloor: -0.001 }
    const whisper = createLocalSpeech(whisperThread, strict)
    const heard = await whisper.transcribe(await twoSentences(), await aToolContext())
    expect(heard).toMatchObject({ language: 'fi', confidence: 1 })
    expect(heard).not.toHaveProperty('doubt')
    expect(heard.segments.map(({ text }) => text)).toEqual(['hei maailma.'])
    const silence = await audioOf(['-f', 'lavfi', '-i', 'anullsrc=d=5'])
    expect(await whisper.transcribe(silence, await aToolContext())).toEqual({
      language: 'und',
      segments: [],
    })
  })

  it('says before the first recording what is missing in the folder of a model', async () => {
    const model = await tinyWhisper()
    await rm(path.join(model, 'config.json'))
    const brokenThread = new SpeechThread({ modelDir: model, stepTimeoutMs: 300_000 })
    onTestFinished(() => brokenThread.close())
    await expect(brokenThread.prepare()).rejects.toThrow(/^config\.json.* is missing$/)
  })
})
