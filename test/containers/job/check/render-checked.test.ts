import { execFileSync } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { aJob } from '../../../support/containers/a-job.ts'
import { aLivelyVideo } from '../../../support/containers/films/checked-film.ts'
import {
  aMediaWorker,
  aReceiver,
  aSourceServer,
} from '../../../support/containers/service-for-all.ts'
import { aFolder } from '../../../support/containers/tool-context.ts'

/** An ffmpeg that cuts off the end of each film that it makes, or only of the first one of a job. */
async function aFaultyFfmpeg(faulty: 'once' | 'always'): Promise<string> {
  const folder = await aFolder()
  // Another user than that of the media worker runs it.
  await chmod(folder, 0o755)
  const real = execFileSync('which', ['ffmpeg'], { encoding: 'utf8' }).trim()
  const again = faulty === 'once' ? '[ -e spoilt ] ||' : ''
  const script = `#!/bin/sh
for last; do :; done
if [ "$last" != file:out.mp4 ]; then exec ${real} "$@"; fi
${real} "$@" || exit 1
${again} { touch spoilt; ${real} -v error -y -i out.mp4 -t 1 -c copy -movflags +faststart short.mp4; mv short.mp4 out.mp4; }
`
  await writeFile(path.join(folder, 'ffmpeg'), script, { mode: 0o755 })
  return `${folder}:${process.env['PATH'] ?? ''}`
}

async function render(faulty: 'once' | 'always') {
  const [sources, receiver] = [await aSourceServer(), await aReceiver()]
  const worker = await aMediaWorker({ PATH: await aFaultyFfmpeg(faulty) })
  const inputs = [sources.file(await aLivelyVideo(2))]
  const options = { flip: 'horizontal' }
  const job = aJob({ inputs, reportsUrl: receiver.reportsUrl, options })
  expect((await worker.post('/jobs', job)).status).toBe(202)
  return receiver.end()
}

it('renders a film again that failed a check, and keeps what passes', async () => {
  const end = await render('once')
  if (end.type !== 'succeeded') throw new Error(JSON.stringify(end))
  expect(end.videoMetadata?.duration).toBeCloseTo(2, 1)
  expect(end.checks?.map(({ name }) => name)).toContain('length')
})

it('fails a job whose film is wrong twice, and names the check', async () => {
  expect(await render('always')).toMatchObject({
    type: 'failed',
    reason: 'check_failed',
    message: expect.stringMatching(
      /^length: Its picture lasts 1(\.0\d)? s; 2 s were planned\.$/,
    ) as string,
    retryable: false,
  })
})
