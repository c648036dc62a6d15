import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { jsonOf } from '../../../worker/contract/input/parse-input.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { knownPlan, type TreatedStretch } from './noise-plan.ts'
import { voiceBins, voicePath } from './voice-gains.ts'

const treatedStretches = z.array(
  z.object({
    ...{ clip: z.int(), frames: z.int().min(0) },
    ...{ strength: z.number().min(0).max(1), blend: z.number().min(0).max(1) },
  }),
)

/**
 * The noise of a recording as bytes: how each stretch is treated, and how much of each frequency of each frame is voice. Frames
 * in which nothing follows the voice network are left out, as are nearly all of a clean recording.
 */
export async function packNoise(
  { folder }: Pick<ToolContext, 'folder'>,
  treated: readonly TreatedStretch[],
): Promise<Buffer> {
  const gains = await readFile(path.join(folder, voicePath))
  const plan = knownPlan(treated)
  for (let frame = 0; frame * voiceBins < gains.length; frame++) {
    const { strength, blend } = plan.at(frame)
    if (strength * blend === 0) gains.fill(0, frame * voiceBins, (frame + 1) * voiceBins)
  }
  const head = Buffer.from(JSON.stringify(treated))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(head.length)
  return Buffer.concat([length, head, gains])
}

/** Writes the noise that was learnt before to where it is read for removal; undefined if it cannot be read. */
export async function unpackNoise(
  { folder }: Pick<ToolContext, 'folder'>,
  packed: Buffer,
): Promise<TreatedStretch[] | undefined> {
  if (packed.length < 4) return undefined
  const from = 4 + packed.readUInt32LE(0)
  const treated = treatedStretches.safeParse(jsonOf(packed.toString('utf8', 4, from))).data
  const frames = treated?.reduce((sum, one) => sum + one.frames, 0)
  if (!treated || packed.length - from !== (frames ?? 0) * voiceBins) return undefined
  await writeFile(path.join(folder, voicePath), packed.subarray(from))
  return treated
}
