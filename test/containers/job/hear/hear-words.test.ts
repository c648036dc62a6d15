import { z } from 'zod'
import { describe, expect, it } from 'vitest'
import { makeFile } from '../../../support/node/fixtures.ts'
import { startHearingWorker } from '../../../support/containers/hearing-worker.ts'
import type { Reply } from '../../../support/containers/provider-stub.ts'
import { campaign } from '../../../support/node/campaign.ts'
import { percentsOf } from '../../../support/containers/receiver.ts'

const word = (text: string, start: number) => ({ word: text, start, end: start + 0.4 })

const spoken: Reply = {
  json: {
    text: ' So let me start again. Welcome.',
    language: 'english',
    segments: [{ start: 0.5, end: 3.4, text: ' So let me start again. Welcome.' }],
    words: [
      ...[word('So', 0.5), word('let', 1), word('me', 1.5), word('start', 2)],
      ...[word('again', 2.5), word('Welcome', 3)],
    ],
  },
}

async function hear(reply: Reply | 'never', options: Record<string, unknown>) {
  const { provider, run } = await startHearingWorker(reply)
  const video = await makeFile('mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=25:duration=4'],
    ...['-f', 'lavfi', '-i', "aevalsrc='0.3*sin(900*t)*gte(mod(t,0.5),0.1)':d=4"],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'],
  ])
  const { end, receiver } = await run(video, options)
  return { end, provider, reports: receiver.reports }
}

describe('hearWords', () => {
  it('listens once, cuts what is said, and times the transcript on what is left', async () => {
    const { end, provider, reports } = await hear(spoken, {
      removeText: ['let me start again', 'never said'],
      enableTranscription: true,
    })
    expect(provider.asked).toHaveLength(1)
    expect(end.videoMetadata?.duration).toBeCloseTo(2, 1)
    expect(end.transcript).toMatchObject({ status: 'completed', text: 'So Welcome.' })
    expect(end.warnings).toEqual(['removeText[1]: “never said” was not heard.'])
    expect(end.trace.plan).toMatchObject({ cuts: { segmentsSeconds: 0, silenceSeconds: 0 } })
    const names = end.trace.phases.map(({ name }) => name)
    expect(names).toEqual(['fetching', 'measuring', 'transcribing', 'rendering', 'uploading'])
    const percents = percentsOf(reports)
    expect(percents).toEqual([...percents].sort((a, b) => a - b))
  })

  campaign('cuts fillers and tells them apart from words', async () => {
    const um = JSON.parse(JSON.stringify(spoken).replaceAll('again', 'um')) as Reply
    const { end } = await hear(um, { removeFillers: true, removeText: ['So'] })
    expect(end.warnings).toEqual([])
    const { cuts } = z
      .object({ cuts: z.object({ textSeconds: z.number(), fillersSeconds: z.number() }) })
      .parse(end.trace.plan)
    for (const seconds of [cuts.textSeconds, cuts.fillersSeconds]) {
      expect(Math.abs(seconds - 0.45)).toBeLessThan(0.15)
    }
  })

  it('finishes the video with a warning if it cannot listen', async () => {
    const { end } = await hear({ status: 401, json: {} }, { keepText: ['Welcome'] })
    expect(end.videoMetadata?.duration).toBeCloseTo(4, 1)
    expect(end.warnings).toEqual([
      expect.stringMatching(/^keepText: nothing was cut\. Transcription failed: .*API key\.$/),
    ])
  })
})
