import path from 'node:path'
import type { PartJob, PartOutputRequest } from '../../../worker/contract/job/part-job.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { PartProgress, PartResult } from '../../parts/part-carrier.ts'
import { renderPart, hashFile } from '../../parts/make/render-part.ts'
import type { SpeechThread } from '../../speech/local/speech-thread-client.ts'
import { uploadFile } from '../report/upload-output.ts'
import type { PartDone } from '../job-context.ts'
import { stat, writeFile } from 'node:fs/promises'
import type { HearSpec } from '../../../worker/contract/job/hear-spec.ts'

type PartContext = {
  readonly part: PartJob
  readonly tools: ToolContext
  readonly signal: AbortSignal
  readonly onProgress: PartProgress
  readonly hear: SpeechThread['hear']
}

/** Renders or transcribes the part whose files are in this folder, and uploads the result. Runs in a job process. */
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

const file = 'part-heard.json'

/** Writes the transcript of a range of a sound into a file in the job folder. */
export async function hearPart(
  { folder, signal }: Pick<ToolContext, 'folder' | 'signal'>,
  { files: [{ name }], from, length, pieces, model, language, names = [] }: HearSpec,
  hear: SpeechThread['hear'],
): Promise<Omit<PartResult, 'n'>> {
  const soundPath = path.join(folder, name)
  const heard = await hear({ soundPath, from, length, pieces, model, language, names }, signal)
  const written = path.join(folder, file)
  await writeFile(written, JSON.stringify(heard))
  const [{ size }, sha256] = [await stat(written), await hashFile(written, signal)]
  // The thread of the models works for several jobs at a time, so its processor time cannot be told for this part.
  return { file, sizeBytes: size, sha256, pictures: 0, cpuMs: 0, edges: [] }
}
