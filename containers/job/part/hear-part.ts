import { stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { HearSpec } from '../../../worker/contract/job/hear-spec.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { hashFile } from '../../parts/make/render-part.ts'
import type { PartResult } from '../../parts/part-carrier.ts'
import type { SpeechThread } from '../../speech/local/speech-thread-client.ts'

const file = 'part-heard.json'

/** Writes down what is said in a part of a sound, into a file of the folder of the job. */
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
  // The thread of the models works for several jobs at a time, so nobody knows how much of its work was for this part.
  return { file, sizeBytes: size, sha256, pictures: 0, cpuMs: 0, edges: [] }
}
