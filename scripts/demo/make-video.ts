import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { stepOf } from '../../client/src/cli/transfer/follow-video.ts'
import type { Progress } from '../../client/src/cli/terminal/progress.ts'
import type { Screen } from '../../client/src/cli/terminal/screen.ts'
import type { Spool } from '../../client/src/spool.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import type { Made } from './demo-data.ts'
import type { DemoRequest } from './wishes.ts'

export type Workshop = {
  spool: Spool
  progress: Progress
  screen: Screen
  signal: AbortSignal
  /** The folder of the page. */
  out: string
}

/** Sends the clip, waits until the video is made, and saves it beside the page. */
export async function makeVideo(wish: DemoRequest, source: string, shop: Workshop): Promise<Made> {
  const { spool, progress, screen, signal, out } = shop
  const { key, title, about, request } = wish
  progress.show({ label: `${title}: sending the clip` })
  const { videoId } = await spool.videos.upload(source, request, {
    signal,
    onProgress: ({ sentBytes, totalBytes = Infinity }) =>
      progress.show({ label: `${title}: sending the clip`, fraction: sentBytes / totalBytes }),
  })
  const begunAt = Date.now()
  const video = await spool.videos.wait(videoId, {
    signal,
    onProgress: (record) => {
      const step = stepOf(record, Date.now())
      progress.show({ ...step, label: `${title}: ${step.label.toLowerCase()}` })
    },
  })
  const seconds = ((Date.now() - begunAt) / 1000).toFixed(1)
  const file = `${key}.${video.outputFormat ?? 'mp4'}`
  await save(video.finalVideoUrl, path.join(out, file), signal)
  progress.done(`${screen.mark('good')} ${title}: ${seconds} s`)
  return { key, title, about, request, video, file }
}

export async function save(
  url: string | undefined,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const answer = await fetch(url ?? '', { signal })
  if (!answer.ok) throw new StopWithMessage(`${url} answered ${answer.status}.`)
  await writeFile(file, new Uint8Array(await answer.arrayBuffer()))
}
