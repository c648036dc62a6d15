import { describe, expect, it } from 'vitest'
import { withoutVideo } from '../../../containers/job/run-job.ts'
import { makeVideo } from '../../support/node/fixtures.ts'
import { aJob } from '../../support/containers/a-job.ts'
import { startHearingWorker } from '../../support/containers/hearing-worker.ts'
import type { Reply } from '../../support/containers/provider-stub.ts'
import { speech, videoWithSound } from '../../support/containers/sound/speech.ts'
import { campaign } from '../../support/node/campaign.ts'
import { percentsOf } from '../../support/containers/receiver.ts'

/** Two sentences, of which the provider hears an um and a start that is said again. */
const spoken: Reply = {
  json: {
    text: ' Today um only. He he has.',
    language: 'english',
    segments: [{ start: 1, end: 7.4, text: ' Today um only, he he has.' }],
    words: [
      { word: 'Today', start: 1, end: 1.4 },
      { word: 'um', start: 1.6, end: 2 },
      { word: 'only', start: 2.1, end: 2.6 },
      { word: 'he', start: 6.5, end: 6.7 },
      { word: 'he', start: 6.8, end: 7 },
      { word: 'has', start: 7, end: 7.4 },
    ],
  },
}

describe('analyzeFiles', () => {
  it('suggests what removeSilence and removeFillers cut, and nothing without sound', async () => {
    const talk = await videoWithSound(await speech([1, 2, 1.2]))
    const { run } = await startHearingWorker(spoken)
    const moments = { suggestClips: { minDuration: 2, about: 'days' }, chapters: true }
    const asked = { analyzeOnly: true, enableThumbnail: true, ...moments }
    const { end, receiver } = await run(talk, asked)
    expect(end.videoMetadata).toBeUndefined()
    const kinds = end.outputs.map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual([
      'transcript-json',
      'transcript-srt',
      'transcript-txt',
      'transcript-vtt',
    ])
    expect(end.transcript).toMatchObject({ status: 'completed', language: 'en' })
    expect(end.warnings).toContain(
      'analyzeOnly: no video was made, so these did nothing: enableThumbnail.',
    )
    const phases = end.trace.phases.map(({ name }) => name)
    expect(phases).toEqual(['fetching', 'measuring', 'transcribing', 'uploading'])
    const percents = percentsOf(receiver.reports)
    expect(percents).toEqual([...percents].sort((a, b) => a - b))

    const none =
      'suggestClips: no part of whole sentences lasts from 2 to 60 seconds and says "days".'
    expect(end.warnings).toContain(none)
    expect(end.moments).toEqual({
      clips: [],
      chapters: [{ startTime: 0, title: 'Today um only' }],
    })

    const { suggestions = [] } = end
    expect(suggestions.find(({ why }) => why === 'filler')).toMatchObject({ text: 'um' })
    expect(suggestions.find(({ why }) => why === 'repeated_start')).toMatchObject({ text: 'he' })
    const silences = suggestions.filter(({ why }) => why === 'silence')
    expect(silences).toHaveLength(3)

    const removeSegments = silences.map(({ startTime, endTime }) => ({ startTime, endTime }))
    const byList = await run(talk, { removeSegments, chapters: true })
    expect(byList.end.moments?.chapters).toMatchObject([{ startTime: 0 }])
    const byOption = await run(talk, { removeSilence: true })
    expect(cutTimes(byList.end.trace.plan)).toEqual(cutTimes(byOption.end.trace.plan))
    expect(byList.end.videoMetadata?.duration).toBe(byOption.end.videoMetadata?.duration)

    const mute = await run(await makeVideo({ tone: null }), { analyzeOnly: true })
    expect(mute.end).toMatchObject({
      ...{ outputs: [], suggestions: [], transcript: { status: 'failed' } },
      warnings: ['analyzeOnly: the video has no sound, so nothing is suggested.'],
    })
  })

  campaign(
    'suggests nothing that the request removes, and only silences if it cannot listen',
    async () => {
      const talk = await videoWithSound(await speech([1, 2, 1.2]))
      const { run } = await startHearingWorker({ status: 401, json: {} })
      const removeSegments = [{ startTime: 0, endTime: 2 }]
      const { end } = await run(talk, { analyzeOnly: true, removeSegments })
      expect(end.outputs).toEqual([])
      expect(end.transcript).toMatchObject({ status: 'failed' })
      expect(end.suggestions?.map(({ why }) => why)).toEqual(['silence', 'silence'])
      expect(end.suggestions?.[0]?.startTime).toBeGreaterThan(2)
      expect(end.warnings).toEqual([
        expect.stringMatching(/^analyzeOnly: only silences are suggested\. Transcription failed/),
      ])
    },
  )
})

/** Where something was cut, whatever for. */
function cutTimes(plan: unknown): unknown {
  const { cuts } = plan as { cuts: { list: { startTime: number; endTime: number }[] } }
  return cuts.list.map(({ startTime, endTime }) => ({ startTime, endTime }))
}

it('withoutVideo keeps what is needed to listen, and names what does nothing', () => {
  const removeSegments = [{ startTime: 0, endTime: 1 }]
  const job = aJob({
    inputs: ['http://127.0.0.1/a.mp4'],
    reportsUrl: 'http://127.0.0.1/reports',
    options: {
      ...{ analyzeOnly: true, removeSegments, removeSilence: true, removeNoise: true },
      ...{ enableAiAnalysis: true, elements: [], enableTranscription: false },
    },
  })
  const looking = withoutVideo({ ...job, elementSources: [], beside: [] })
  expect(looking.job.options).toEqual(
    aJob({
      inputs: [],
      reportsUrl: '',
      options: { analyzeOnly: true, enableTranscription: true, removeSegments },
    }).options,
  )
  expect(looking.job).not.toHaveProperty('beside', [])
  expect(looking.warnings).toEqual([
    'analyzeOnly: no video was made, so these did nothing: removeSilence, removeNoise, enableAiAnalysis.',
  ])
})
