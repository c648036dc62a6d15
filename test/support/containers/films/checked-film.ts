import { expect } from 'vitest'
import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { planJob, type Planned } from '../../../../containers/job/plan/plan-job.ts'
import { renderOutput } from '../../../../containers/job/render/render-output.ts'
import { measureResult, type Rendered } from '../../../../containers/job/render/run-plan.ts'
import { makeFile } from '../../node/fixtures.ts'
import { aToolContext } from '../tool-context.ts'
import { cutHere } from './job-here.ts'
import type { Check } from '../../../../worker/contract/job/check.ts'
import { checkFilm } from '../../../../containers/job/check/check-film.ts'

/** Everything in it moves, and its sound repeats itself nowhere. */
export async function aLivelyVideo(seconds = 4, extra: readonly string[] = []): Promise<string> {
  const picture = `testsrc2=s=320x180:r=25:d=${seconds},scroll=h=0.013:v=0.007`
  const level = '(0.5+0.45*sin(4.3*t+3*sin(1.9*t)+2*sin(0.7*t*t)))'
  const sound = `aevalsrc='0.35*sin(1900*t)*${level}|0.3*sin(2600*t)*${level}':s=48000:d=${seconds}`
  return makeFile('mp4', [
    ...['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound, ...extra],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '12', '-pix_fmt', 'yuv420p'],
    ...['-c:a', 'aac', '-b:a', '96k'],
  ])
}

/** Works a job through up to its plan, in this process and in this folder, or in one that is removed after the test. */
export async function planOf(
  files: readonly string[],
  options: Record<string, unknown>,
  folder?: string,
): Promise<Planned> {
  const tools = await aToolContext(folder === undefined ? {} : { folder })
  const sources = files.map((file) => ({ file }))
  return planJob(await cutHere(tools, { sources, options }))
}

export async function filmOf(planned: Planned): Promise<Rendered> {
  return renderOutput(planned)
}

/** The same film with another file, measured again as a result is. */
export async function withFile(planned: Planned, film: Rendered, file: string): Promise<Rendered> {
  const name = `changed-${path.basename(file)}`
  await copyFile(file, path.join(planned.context.tools.folder, name))
  return { ...film, name, facts: await measureResult(planned.context.tools, film.plan, name) }
}

/** Checks a film in which no check may find a fault. */
export async function expectPassed(planned: Planned, film: Rendered): Promise<Check[]> {
  const checks = await checkFilm(planned, film)
  expect(checks.filter(({ result }) => result !== 'passed')).toEqual([])
  return checks
}
