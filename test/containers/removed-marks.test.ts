import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { transcriptKinds } from '../../worker/contract/job/media-job.ts'
import { captionName } from '../support/containers/films/closed-captions.ts'
import {
  markedKinds,
  markedPictures,
  markedVideo,
  marksIn,
  markText,
  saidMarks,
  type MarkedVideo,
} from '../support/containers/films/marked-video.ts'
import { aFolder } from '../support/containers/tool-context.ts'
import { campaignAfter } from '../support/node/campaign.ts'
import { aServiceForAll, succeed } from '../support/containers/service-for-all.ts'

const service = aServiceForAll({ SPEECH_TIMEOUT_SECONDS: '300' })

/** Cues in the removed part, and across both of its ends. */
function ownCaptions({ marked: { startTime, endTime } }: MarkedVideo): string {
  const at = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 23)
  const cues = [
    [0.2, startTime - 0.5, 'Before.'],
    [startTime - 0.4, startTime + 0.6, `Still there ${markText}`],
    [startTime + 0.7, endTime - 0.5, markText],
    [endTime - 0.4, endTime + 0.4, `${markText} there again`],
  ] as const
  const lines = cues.map(([from, to, text]) => `${at(from)} --> ${at(to)}\n${text}\n`)
  return ['WEBVTT\n', ...lines].join('\n')
}

/** Removes the marked part with everything that makes something else of a video. */
async function cutOut(video: MarkedVideo, outputFormat: string) {
  const options = {
    outputFormat,
    removeSegments: [video.marked],
    enableTranscription: true,
    enableThumbnail: true,
    enableAiAnalysis: true,
    captions: { embed: true, source: { text: ownCaptions(video) } },
  }
  const inputs = [service.sources.file(video.file)]
  return succeed(service.worker, { inputs, options })
}

describe('what was removed', () => {
  for (const [i, [name, kind]] of Object.entries(markedKinds).entries()) {
    it(`is in nothing that is handed out: ${name}`, { tags: campaignAfter(1, i) }, async () => {
      const video = await markedVideo(kind)
      const before = await marksIn(video.file)
      expect(before).toEqual(expect.arrayContaining(['a picture', 'the tone']))

      const { receiver, end } = await cutOut(video, kind.extension)
      const plan = JSON.stringify(end.trace?.plan)
      expect(plan).toMatch(kind.isCopied ? /"picture":"copied/u : /"picture":"encoded"/u)
      expect(end.transcript).toMatchObject({ status: 'completed' })
      expect(receiver.output('transcript-txt').toString()).toMatch(/three[^]*ships/u)
      const folder = await aFolder()
      for (const output of ['final', 'thumbnail', ...transcriptKinds] as const) {
        const bytes = receiver.output(output)
        expect(bytes.length).toBeGreaterThan(0)
        expect(bytes.includes(markText)).toBe(false)
        expect(bytes.includes(captionName)).toBe(false)
        if (output.startsWith('transcript')) expect(bytes.toString()).not.toMatch(saidMarks)
      }
      const final = path.join(folder, `final.${kind.extension}`)
      await writeFile(final, receiver.output('final'))
      expect(await marksIn(final)).toEqual([])
      const still = path.join(folder, 'thumbnail.jpg')
      await writeFile(still, receiver.output('thumbnail'))
      expect(await markedPictures(still)).toBe(0)
      const told = JSON.stringify(receiver.reports) + service.worker.logLines.join('\n')
      expect(told).not.toMatch(saidMarks)
      expect(told).not.toContain(markText)
    })
  }
})
