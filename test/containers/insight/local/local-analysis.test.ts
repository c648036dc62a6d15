import { copyFile } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { measureMedia } from '../../../../containers/ffmpeg/measure-media.ts'
import type { ToolContext } from '../../../../containers/ffmpeg/process/run-tool.ts'
import {
  AnalysisFailure,
  type AnalysisSubject,
} from '../../../../containers/insight/analysis-provider.ts'
import { NoAnswer } from '../../../../containers/models/model-tasks.ts'
import { AnalysisThread } from '../../../../containers/insight/local/analysis-thread.ts'
import { localAnalysis } from '../../../../containers/insight/local/local-analysis.ts'
import { makeFile } from '../../../support/node/fixtures.ts'
import { plainVideo } from '../../../support/containers/films/element-files.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'
import { campaign } from '../../../support/node/campaign.ts'

/** An attempt to connect would end the thread, and every test below would fail. */
const trap = new URL('../../../support/containers/no-connections.mjs', import.meta.url)
const thread = new AnalysisThread({ execArgv: ['--import', trap.href] })
const provider = localAnalysis(thread)
afterAll(async () => thread.close())
afterEach(() => vi.restoreAllMocks())

/** A picture with people on it, which the package of the model brings along. */
const people = path.join(
  import.meta.dirname,
  '../../../../node_modules/@vladmandic/human/assets/screenshot-facedetect.jpg',
)

async function subjectOf(
  file: string,
  changes: Partial<AnalysisSubject> = {},
): Promise<{ subject: AnalysisSubject; tools: ToolContext }> {
  const tools = await aToolContext()
  await copyFile(file, path.join(tools.folder, 'out'))
  const facts = await measureMedia(tools, { path: 'out', field: 'result', maxSeconds: 100_000 })
  const video = { name: 'out', facts }
  const subject = { video, speech: undefined, coordinates: facts.coordinates, ...changes }
  return { subject, tools }
}

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

describe('localAnalysis', () => {
  it('finds people, the location of the camera and the speech, without opening a connection', async () => {
    const place = ['-metadata', 'location=+48.8577+002.2950/']
    const still = ['-framerate', '4', '-loop', '1', '-t', '1', '-i', people]
    const file = await makeFile('mp4', [...still, '-vf', 'scale=640:-2', ...h264, ...place])
    const text = 'Every guest brought a wine glass. No guest was late.'
    const said = { startTime: 0, endTime: 1, text }
    const speech = { language: 'en', segments: [said] }
    const connect = vi.spyOn(net.Socket.prototype, 'connect')
    const fetched = vi.spyOn(globalThis, 'fetch')
    const heard: number[] = []
    const { subject, tools } = await subjectOf(file, { speech })
    const analysis = await provider.analyse(subject, tools, (percent) => heard.push(percent))
    expect(analysis).toEqual({
      tags: ['person', 'people', 'guest'],
      summary:
        'A 1-second clip without sound: people. The picture stands still. ' +
        'From what is said: “Every guest brought a wine glass. … No guest was late.”',
      estimatedLocation: 'Paris, France',
    })
    expect(heard).toEqual([...heard].sort((a, b) => a - b))
    expect([heard[0], heard.at(-1)]).toEqual([5, 100])
    expect(connect).not.toHaveBeenCalled()
    expect(fetched).not.toHaveBeenCalled()
  })

  campaign('describes black videos, single pictures and odd shapes truthfully', async () => {
    const black = await subjectOf(await plainVideo('#000000', 1))
    expect(await provider.analyse(black.subject, black.tools, () => undefined)).toEqual({
      tags: [],
      summary: expect.stringContaining('the picture is black, or nearly so, throughout.') as string,
      estimatedLocation: 'unknown',
    })
    const bars = 'smptebars=s=34x250:r=25:d=0.04'
    const single = await subjectOf(await makeFile('mp4', ['-f', 'lavfi', '-i', bars, ...h264]))
    const analysis = await provider.analyse(single.subject, single.tools, () => undefined)
    expect(analysis.tags).toEqual([])
    expect(analysis.summary).toMatch(
      /^A very short upright clip without sound\. What it shows cannot be named/,
    )
  })

  it('gives up when it takes too long, and works again for the next video', async () => {
    const { subject, tools } = await subjectOf(await plainVideo('#204060', 1))
    const hasty = localAnalysis(thread, 0.001).analyse(subject, tools, () => undefined)
    await expect(hasty).rejects.toThrow('Analysis failed: it took longer than 0.001 seconds.')
    await expect(hasty).rejects.toBeInstanceOf(AnalysisFailure)
    const { summary } = await provider.analyse(subject, tools, () => undefined)
    expect(summary).toContain('the picture is a plain area throughout.')
  })

  campaign('ends with the reason of the signal that stops it', async () => {
    const { subject, tools } = await subjectOf(await plainVideo('#204060', 1))
    const controller = new AbortController()
    const stopped = { ...tools, signal: controller.signal }
    const running = provider.analyse(subject, stopped, (percent) => {
      if (percent >= 40) controller.abort(new Error('The user cancelled'))
    })
    await expect(running).rejects.toThrow('The user cancelled')
  })
})

describe('AnalysisThread', () => {
  const { signal } = new AbortController()
  const nowhere = { latitude: 30, longitude: -40 }

  campaign('fails open questions when it dies, and works again for the next one', async () => {
    const mortal = new AnalysisThread()
    const waiting = mortal.ask('namePlace', nowhere, signal)
    await Promise.all([expect(waiting).rejects.toThrow('ended with'), mortal.close()])
    expect(await mortal.ask('namePlace', nowhere, signal)).toBeUndefined()
    await mortal.close()
  })

  it('passes an error to its caller, and answers the next question', async () => {
    const broken = { width: -1, height: 10, pixels: new Uint8Array(1) }
    await expect(thread.ask('lookAt', broken, signal)).rejects.toThrow(NoAnswer)
    expect(await thread.ask('namePlace', nowhere, signal)).toBeUndefined()
  })
})
