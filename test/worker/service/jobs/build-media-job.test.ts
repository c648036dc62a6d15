import { expect, it } from 'vitest'
import { createVideo } from '../../../../worker/contract/options/create-video.ts'
import { buildMediaJob } from '../../../../worker/service/jobs/build-media-job.ts'
import { readSettings, type Settings } from '../../../../worker/settings.ts'
import { bindings } from '../../../support/worker/bindings.ts'

const [beside = '', far = ''] = bindings.MEDIA_WORKER_URLS.split(',')
const settings: Settings = {
  ...readSettings(bindings),
  baseUrl: 'http://127.0.0.1:8787',
  storageUrl: 'http://127.0.0.1:8787',
  reportUrl: 'http://172.17.0.1:8787',
  near: { url: 'http://127.0.0.1:8787', workers: [beside] },
}

it.each([
  ['one beside the service', beside, 'http://127.0.0.1:8787'],
  ['one elsewhere, for which this machine has another address', far, 'http://172.17.0.1:8787'],
])('has %s fetch what lies at the service', async (_, worker, reached) => {
  const request = createVideo.parse({
    files: [
      { url: 'http://localhost:8787/docs/examples/talk.mp4?again' },
      { url: 'http://127.0.0.1:8787/files/t/talk.mp4' },
      { url: 'https://example.com/docs/examples/talk.mp4' },
    ],
    combine: true,
    audio: { replaceUrl: 'http://127.0.0.1:8787/docs/examples/music.mp3' },
  })
  const asked = {
    job: { id: 'j_0123456789abcdef', accountId: 'a_01234567' },
    video: { id: 'v_01234567', name: 'talk', request, source: null },
  }
  const claim = { fence: 1, attempt: 1, worker, paces: {}, sources: new Map() }
  const { inputs, beside: others } = await buildMediaJob(settings, asked, claim)
  expect([...inputs, ...(others ?? [])].map(({ url, origin }) => [url, origin])).toEqual([
    [`${reached}/docs/examples/talk.mp4`, 'link'],
    [`${reached}/files/t/talk.mp4`, 'link'],
    ['https://example.com/docs/examples/talk.mp4', 'customer'],
    [`${reached}/docs/examples/music.mp3`, 'link'],
  ])
})
