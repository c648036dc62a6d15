import { expect, it } from 'vitest'
import { makeFile } from '../../../support/node/fixtures.ts'
import { startHearingWorker } from '../../../support/containers/hearing-worker.ts'
import type { Reply } from '../../../support/containers/provider-stub.ts'

const word = (text: string, start: number) => ({ word: text, start, end: start + 0.4 })

const spoken: Reply = {
  json: {
    text: 'Good morning and welcome.',
    language: 'english',
    segments: [{ start: 0.5, end: 12.9, text: 'Good morning and welcome.' }],
    words: [word('Good', 0.5), word('morning', 1), word('and', 12), word('welcome', 12.5)],
  },
}

/** Quicker to make than films. */
const outputs = [{ name: 'sound', outputFormat: 'mp3' }]

async function talk(pitch: number): Promise<string> {
  return makeFile('mp4', [
    ...['-f', 'lavfi', '-i', 'color=gray:size=64x64:rate=5:duration=14'],
    ...['-f', 'lavfi', '-i', `sine=${pitch}:duration=14`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'],
  ])
}

async function soundOf(pitch: number): Promise<string> {
  return makeFile('wav', ['-f', 'lavfi', '-i', `sine=${pitch}:duration=14`])
}

it('hears nothing again for a later edit of a film, but does hear other bytes, other names, and each sound that replaces its own', async () => {
  const { provider, run, plan, words } = await startHearingWorker(spoken)
  const film = await talk(440)
  const told = async (file: string, options: object) => {
    const { end } = await run(file, { enableTranscription: true, ...options })
    return end.transcript?.status === 'completed' && end.transcript.text
  }
  expect(await told(film, { analyzeOnly: true })).toBe('Good morning and welcome.')
  // Of this edit alone, less would be heard.
  const cut = { removeSegments: [{ startTime: 0, endTime: 11.9 }], removeNoise: true, outputs }
  expect(await told(film, cut)).toBe('and welcome.')
  expect(provider.asked).toHaveLength(1)
  const other = await talk(441)
  await told(other, { analyzeOnly: true })
  expect(provider.asked).toHaveLength(2)
  await told(film, { analyzeOnly: true, vocabulary: ['Spool'] })
  expect(provider.asked.map(({ body }) => body.includes('Spool.'))).toEqual([false, false, true])
  const { ifKept, seconds, made } = await plan(film, { analyzeOnly: true })
  expect(ifKept?.names.filter((name) => words.has(name))).toHaveLength(1)
  expect(ifKept?.seconds.likely).toBeLessThan(seconds.likely)
  expect(made?.files).toMatchObject([{ field: 'fileUrl' }])
  for (const name of words.keys()) words.set(name, '{"language":"en"}')
  expect(await told(film, { analyzeOnly: true })).toBe('Good morning and welcome.')
  expect(provider.asked).toHaveLength(4)
  for (const pitch of [500, 600, 500]) {
    await run(film, { enableTranscription: true, outputs }, await soundOf(pitch))
  }
  expect(provider.asked).toHaveLength(6)
})

/** So slow that a plan does not listen. */
const slow = { 'measuring sound': { ms: 1e6, spread: 0.1 } }

it('plans what words cut that an earlier job has heard', async () => {
  const { provider, run, plan, words } = await startHearingWorker(spoken)
  const film = await talk(440)
  await run(film, { analyzeOnly: true })
  for (const [cut, allPaces] of [
    [{ removeText: ['and welcome'] }, [{}, slow]],
    [{ keepText: ['Good morning'], captions: {} }, [{}]],
  ] as const) {
    const { end } = await run(film, { ...cut, enableTranscription: true })
    expect(end.transcript).toMatchObject({ text: 'Good morning' })
    for (const paces of allPaces) {
      const unheard = await plan(film, cut, { paces })
      expect(unheard.unknown.join()).toContain('shows only when the speech is heard')
      const [[name, text] = ['', '']] = [...words].filter(([one]) =>
        unheard.ifKept?.names.includes(one),
      )
      const { unknown, results, warnings } = await plan(film, cut, { heard: { name, text }, paces })
      expect({ unknown, warnings }).toEqual({ unknown: [], warnings: end.warnings })
      const [{ duration, sizeInBytes } = {}] = results
      expect(duration?.likely).toBeCloseTo(end.videoMetadata?.duration ?? 0, 1)
      expect(duration?.most).toBe(duration?.least)
      expect(duration?.likely).toBeLessThan(14)
      expect(sizeInBytes?.least).toBeLessThanOrEqual(end.videoMetadata?.sizeInBytes ?? 0)
    }
  }
  expect(provider.asked).toHaveLength(1)
})
