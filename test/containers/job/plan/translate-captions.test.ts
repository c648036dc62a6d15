import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { countedVideo } from '../../../support/containers/films/counted-video.ts'
import { startHearingWorker } from '../../../support/containers/hearing-worker.ts'
import { savedOutput } from '../../../support/containers/outputs.ts'
import { ffmpegBytes } from '../../../support/containers/run-tool.ts'
import { aServiceForAll, runJob } from '../../../support/containers/service-for-all.ts'

const service = aServiceForAll()
const film = async () => countedVideo({ seconds: 4, fps: 25 })
const text = '1\n00:00:00,500 --> 00:00:03,500\nWelcome to Spool.\n'

describe('translateCaptions', () => {
  it('stores files with the times of the cues, and adds a track for each language', async () => {
    const cues = [{ id: 0, text: 'Bienvenidos a Spool.' }]
    const chat = { json: { choices: [{ message: { content: JSON.stringify({ cues }) } }] } }
    const { run } = await startHearingWorker(chat, chat)
    const { end, receiver } = await run(await film(), {
      outputFormat: 'mp4',
      captions: {
        ...{ source: { text }, language: 'en', embed: true, burn: false },
        ...{ translateTo: ['es'], glossary: { Spool: 'Spool' } },
      },
    })
    expect(end.warnings).toEqual([])
    const vtt = String(await readFile(await savedOutput(receiver, 'captions-es-vtt', 'vtt')))
    expect(vtt).toBe('WEBVTT\n\n00:00:00.500 --> 00:00:03.500\nBienvenidos a Spool.\n')
    const srt = String(await readFile(await savedOutput(receiver, 'captions-es-srt', 'srt')))
    expect(srt).toContain('00:00:00,500 --> 00:00:03,500\nBienvenidos a Spool.')
    const made = await savedOutput(receiver, 'final', 'mp4')
    const track = async (i: number) =>
      String(await ffmpegBytes(['-i', made, '-map', `0:s:${i}`, '-f', 'webvtt', '-']))
    expect(await track(0)).toContain('Welcome to Spool.')
    expect(await track(1)).toContain('Bienvenidos a Spool.')
  })

  it('fails before anything is rendered if nobody translates', async () => {
    const captions = { source: { text }, translateTo: ['es'] }
    const inputs = [service.sources.file(await film())]
    expect((await runJob(service.worker, { inputs, options: { captions } })).end).toMatchObject({
      ...{ type: 'failed', reason: 'element_unusable' },
      message: expect.stringMatching(/^captions\.translateTo: .*ANALYSIS_PROVIDER/) as string,
    })
  })
})
