import { namedKind } from '../../../worker/contract/job/media-job.ts'
import {
  isSound,
  type Output,
  type SoundFormat,
} from '../../../worker/contract/options/outputs/outputs.ts'
import { readResult } from '../../errors/broken-result.ts'
import { JobError } from '../../errors/job-error.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import { compileSound, planSoundFile, soundReading } from '../../render/output/plan-sound-file.ts'
import type { Cut } from '../cut/cut-footage.ts'
import { roomLeft } from '../disk-room.ts'
import { progressOf, scratchOf } from '../job-context.ts'
import { capsOf } from '../plan/plan-job.ts'
import { checkSoundFile, readSound } from '../check/files/check-sound-file.ts'
import { makeChecked, saferAfter } from '../check/render-checked.ts'
import type { ResultFile } from '../render/finish-output.ts'
import { refuseTruncated } from '../render/run-plan.ts'
import { optionsOf } from '../../render/output-options.ts'
import type { MadeOutput } from './made-output.ts'
import { thousandths } from '../../numbers/thousandths.ts'

export type SoundOutput = Output & { readonly outputFormat: SoundFormat }

export const isSoundOutput = (output: Output): output is SoundOutput => isSound(output.outputFormat)

type SoundPlace = { readonly cover: string | undefined; readonly place: number }

export async function renderSound(
  cut: Cut,
  output: SoundOutput,
  place: SoundPlace,
): Promise<MadeOutput> {
  const { made, checks } = await makeChecked(cut.context, async (fault) => {
    const own = saferAfter(fault, cut)
    const { plan, is, ...sound } = await makeSound(own, output, place)
    const [{ file }] = sound.files
    const how = { ...soundReading(plan.format), is, from: output.startTime ?? 0 }
    const look = async () => checkSoundFile(own, { name: file, plan, ...how })
    return { made: sound, seconds: plan.durationSeconds, look }
  })
  return { ...made, told: { ...made.told, checks: [...checks] } }
}

async function makeSound(cut: Cut, output: SoundOutput, { cover, place }: SoundPlace) {
  const { context } = cut
  const { settings, tools } = context
  const plan = planSoundOutput(cut, output)
  const file = `sound${place}.${plan.format}`
  const roomBytes = await roomLeft(scratchOf(context))
  const onProgress = progressOf(context, 'rendering')
  const title = context.job.title ?? ''
  const command = compileSound(plan, file, capsOf(settings, roomBytes), { title, cover })
  await runFfmpeg(tools, command, ({ outSeconds }) =>
    onProgress(outSeconds / Math.max(plan.durationSeconds, 0.001)),
  )
  await refuseTruncated(context, roomBytes, [file])
  const written = { name: file, ...soundReading(plan.format) }
  const is = await readResult('The file of its sound', tools.signal, async () =>
    readSound(tools, written),
  )
  const kind = namedKind(output.name)
  const files: [ResultFile] = [{ file, kind, extension: plan.format }]
  const told = {
    ...{ name: output.name, kind, format: plan.format, duration: thousandths(is.seconds) },
    warnings: plan.warnings.slice(0, 200),
  }
  return { plan, is, files, told }
}

export function planSoundOutput(cut: Cut, output: SoundOutput) {
  const options = optionsOf(cut.context.job.options, output)
  const none = { captions: undefined, captionFiles: [], copy: undefined }
  const plan = planSoundFile({ ...cut, ...none }, options, output)
  if (plan) return plan
  const message = 'The source has no sound, so no file of its sound can be made.'
  throw new JobError('nothing_left', message)
}
