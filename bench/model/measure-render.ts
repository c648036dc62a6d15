import { stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Run } from '../benchmark.ts'
import { makeMaterial } from '../engine/jobs.ts'
import { prepareJob, renderOurs } from '../engine/render-job.ts'
import { describeMachine, timed } from '../machine.ts'
import { allCores } from '../tools-in.ts'

const seconds = 10

/** Renders a clip as the media worker does, and writes down what a minute of it takes. */
export async function measureRender(run: Run): Promise<void> {
  const { folder } = run
  await makeMaterial(folder, seconds, '1920x1080')
  const tools = allCores(run)
  const job = { sources: ['talk'], options: { compressionQuality: 60 } } as const
  const prepared = await prepareJob(tools, job)
  const { seconds: elapsed, processor } = await timed(async () => renderOurs(tools, prepared))
  const { size } = await stat(path.join(folder, 'ours.mp4'))
  const aMinute = (value: number): number => Math.round((value * 60) / seconds)
  const measured = {
    what: 'a talk in 1080p, encoded with quality 60',
    processorSecondsAMinute: aMinute(processor),
    elapsedSecondsAMinute: aMinute(elapsed),
    outputBytesAMinute: aMinute(size),
    machine: describeMachine(),
    date: new Date().toISOString().slice(0, 10),
  }
  const file = path.join(import.meta.dirname, 'measured/render.json')
  await writeFile(file, `${JSON.stringify(measured, null, 2)}\n`)
}
