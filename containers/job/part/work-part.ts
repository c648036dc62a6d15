import path from 'node:path'
import type { PartJob, PartOutputRequest } from '../../../worker/contract/job/part-job.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { PartProgress } from '../../parts/part-carrier.ts'
import { renderPart } from '../../parts/make/render-part.ts'
import type { SpeechThread } from '../../speech/local/speech-thread-client.ts'
import { uploadFile } from '../report/upload-output.ts'
import type { PartDone } from '../job-context.ts'
import { hearPart } from './hear-part.ts'

type PartContext = {
  readonly part: PartJob
  readonly tools: ToolContext
  readonly signal: AbortSignal
  readonly onProgress: PartProgress
  readonly hear: SpeechThread['hear']
}

/** Renders or hears the part whose files are in this folder, and uploads it: in the process that does the work of jobs. */
export async function workPart({
  part,
  tools,
  signal,
  onProgress,
  hear,
}: PartContext): Promise<PartDone> {
  const { spec } = part
  const { file, ...result } =
    'kind' in spec ? await hearPart(tools, spec, hear) : await renderPart(tools, spec, onProgress)
  const { fence, n, try: number, reports } = part
  const body = (sizeBytes: number) =>
    ({ fence, n, try: number, sizeBytes }) satisfies PartOutputRequest
  const { parts } = await uploadFile({
    ...{ file: path.join(tools.folder, file), signal, onProgress: () => undefined },
    grant: { url: `${reports.url}/outputs`, key: reports.key, body },
  })
  const { sizeBytes, sha256, pictures, cpuMs, edges } = result
  return { type: 'done', result: { sizeBytes, sha256, pictures, cpuMs, edges: [...edges] }, parts }
}
