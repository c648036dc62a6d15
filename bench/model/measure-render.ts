import { mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { childSeconds } from '../engine/child-seconds.ts'
import type { EngineJob } from '../engine/jobs.ts'
import { makeMaterial } from '../engine/material.ts'
import { prepareJob, renderOurs } from '../engine/render-job.ts'
import { toolsIn } from '../tools-in.ts'
import { describeMachine } from '../machine.ts'

const seconds = 10
const job: EngineJob = {
  name: 'a talk in 1080p, encoded with quality 60',
  sources: ['talk'],
  options: { compressionQuality: 60 },
  byHand: () => [],
  chain: () => [],
}

/** Renders a clip as the media worker does, and writes down what a minute of it takes. */
export async function measureRender(stop: AbortSignal): Promise<void> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'spool-bench-')))
  try {
    await makeMaterial(folder, seconds, '1920x1080')
    const tools = toolsIn(folder, stop, { threads: availableParallelism() })
    const prepared = await prepareJob(tools, job)
    const [began, spent] = [performance.now(), childSeconds()]
    await renderOurs(tools, prepared)
    const elapsed = (performance.now() - began) / 1000
    if (spent === undefined) throw new Error('Processor time can be read on Linux only')
    const processor = (childSeconds() ?? spent) - spent
    const { size } = await stat(path.join(folder, 'ours.mp4'))
    const aMinute = (value: number): number => Math.round((value * 60) / seconds)
    const measured = {
      what: job.name,
      processorSecondsAMinute: aMinute(processor),
      elapsedSecondsAMinute: aMinute(elapsed),
      outputBytesAMinute: aMinute(size),
      machine: describeMachine(),
      date: new Date().toISOString().slice(0, 10),
    }
    const file = path.join(import.meta.dirname, 'measured/render.json')
    await writeFile(file, `${JSON.stringify(measured, null, 2)}\n`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
