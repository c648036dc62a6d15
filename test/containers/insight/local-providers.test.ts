import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { aJob } from '../../support/containers/a-job.ts'
import { startMediaWorker } from '../../support/containers/media-worker.ts'
import { speech, videoWithSound } from '../../support/containers/sound/speech.ts'
import { aFolder } from '../../support/containers/tool-context.ts'
import { aReceiver, aSourceServer } from '../../support/containers/service-for-all.ts'
import { campaign } from '../../support/node/campaign.ts'

describe('the local providers', () => {
  campaign(
    'transcribe and analyse without a connection to anyone but the sender of the job',
    async () => {
      const connections = path.join(await aFolder(), 'connections')
      const home = await aFolder()
      const trap = path.resolve(
        import.meta.dirname,
        '../../support/containers/record-connections.ts',
      )
      const worker = await startMediaWorker({
        NODE_OPTIONS: `--import ${trap}`,
        CONNECTIONS_FILE: connections,
        HOME: home,
        TMPDIR: home,
        SPEECH_TIMEOUT_SECONDS: '300',
      })
      onTestFinished(worker.stop)
      const receiver = await aReceiver()
      const sources = await aSourceServer()
      const source = sources.file(await videoWithSound(await speech([0.5, 0.5])))
      const options = { enableTranscription: true, enableAiAnalysis: true }
      const job = aJob({ inputs: [source], reportsUrl: receiver.reportsUrl, options })
      expect((await worker.post('/jobs', job)).status).toBe(202)
      const end = await receiver.end()
      expect(end).toMatchObject({
        transcript: { status: 'completed', language: 'en' },
        analysis: { status: 'completed' },
      })
      const made = new Set((await readFile(connections, 'utf8')).trim().split('\n'))
      const known = [source, receiver.reportsUrl].map((url) => new URL(url).host)
      expect([...made].sort()).toEqual(known.sort())
      // Native code may open connections that Node does not see; to recognise this machine again it would write a file.
      expect(await readdir(home)).toEqual([])
    },
  )
})
