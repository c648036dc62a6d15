import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { measureCutting, type CutChoice } from '../../containers/cuts/plan/measure-cutting.ts'
import { renderCut } from '../../containers/job/render/render-cut.ts'
import { createLog } from '../../containers/errors/log.ts'
import { measureMedia } from '../../containers/ffmpeg/measure-media.ts'
import { runFfmpeg } from '../../containers/ffmpeg/process/run-ffmpeg.ts'
import { readTool, type ToolContext } from '../../containers/ffmpeg/process/run-tool.ts'
import { openClip } from '../../containers/render/frame/open-clip.ts'
import {
  compilePlan,
  withPictureCoding,
  type RenderPlan,
} from '../../containers/render/plan-render.ts'
import type { MediaFacts } from '../../containers/timeline/media-facts.ts'
import { fpsOf } from '../../containers/timeline/frame-rate.ts'
import type { FrameSpan } from '../../containers/timeline/frame-spans.ts'
import { keepExpression } from '../../containers/timeline/keep-expression.ts'
import { planClips } from '../../test/support/containers/plan-clips.ts'
import { optionsSchema } from '../../worker/contract/options/options.ts'

export type Task = {
  readonly tools: ToolContext
  readonly source: string
  readonly facts: MediaFacts
  readonly fps: number
  readonly removed: readonly FrameSpan[]
  readonly kept: readonly FrameSpan[]
}

/** Each writes `<name>.mp4`, and says what there is to say. */
export const ways: Readonly<Record<string, (task: Task) => Promise<string>>> = {
  'as stored': cutAsStored,
  'one encode': encodeOnce,
  'trim, concat': trimAndConcat,
  'steady encode': encodeSteadily,
  'copied groups': copyGroups,
}

export function resultOf(way: string): string {
  return `${way.replace(/\W+/g, '-')}.mp4`
}

function planOf({ tools, source, facts, fps, removed }: Task, copy: CutChoice): RenderPlan {
  const removeSegments = removed.map(({ from, to }) => ({
    startTime: from / fps,
    endTime: to / fps,
  }))
  const options = optionsSchema.parse({ removeSegments })
  return planClips([openClip(source, facts, {})], options, capsOf(tools), { copy })
}

async function cutAsStored(task: Task): Promise<string> {
  const { tools, source, facts, kept } = task
  const name = resultOf('as stored')
  const { frameRate, endSeconds } = facts.video
  const frames = Math.round(endSeconds * fpsOf(frameRate))
  const clips = [{ path: source, facts, frames }] as const
  const choice = await measureCutting(tools, { clips, frameRate, kept })
  const plan = planOf(task, choice)
  if (!plan.cutting) {
    await run(tools, plan, name)
    return `encoded: ${plan.whyEncoded ?? 'unknown'}`
  }
  let provingFrom = 0
  const log = createLog(() => undefined)
  const made = await renderCut({ tools, log }, plan.cutting, async (coding) => {
    await run(tools, withPictureCoding(plan, coding), name)
    provingFrom = performance.now()
    const request = { path: name, field: 'result', maxSeconds: 1e6, isOurs: true, isResult: true }
    return { name, facts: await measureMedia(tools, request) }
  })
  const proof = ((performance.now() - provingFrom) / 1000).toFixed(1)
  return 'why' in made ? `failed: ${made.why}` : `proof ${proof} s of it`
}

async function encodeOnce(task: Task): Promise<string> {
  await run(task.tools, planOf(task, { why: 'it is compared' }), resultOf('one encode'))
  return ''
}

/** What a user would write who wants exact cuts, with the settings that ffmpeg chooses. */
async function trimAndConcat({ tools, source, fps, kept }: Task): Promise<string> {
  const parts = kept.map(
    ({ from, to }, i) => `[0:v]trim=${from / fps}:${to / fps},setpts=PTS-STARTPTS[p${i}]`,
  )
  const graph = `${parts.join(';')};${kept.map((_, i) => `[p${i}]`).join('')}concat=n=${kept.length}[v]`
  await ffmpeg(tools, [
    ...['-i', source, '-filter_complex', graph, '-map', '[v]', '-c:v', 'libx264'],
    resultOf('trim, concat'),
  ])
  return ''
}

/**
 * What auto-editor does with H.264, modelled because it cannot be installed here: it decodes everything, keeps the pictures
 * of its timeline at a steady rate, and encodes them with what x264 chooses.
 */
async function encodeSteadily({ tools, source, fps, removed }: Task): Promise<string> {
  const graph = `fps=${fps}:round=near,select='${keepExpression(removed)}',setpts=N/${fps}/TB`
  await ffmpeg(tools, [
    ...['-i', source, '-vf', graph, '-r', String(fps), '-c:v', 'libx264'],
    resultOf('steady encode'),
  ])
  return ''
}

/** The same without encoding: parts by `-ss` and `-to`, put together by the concat demuxer. */
async function copyGroups({ tools, source, fps, kept }: Task): Promise<string> {
  const names: string[] = []
  for (const [i, { from, to }] of kept.entries()) {
    names.push(`part${i}.mp4`)
    const times = ['-ss', String(from / fps), '-to', String(to / fps)]
    await ffmpeg(tools, [...times, '-i', source, '-c', 'copy', `part${i}.mp4`])
  }
  const list = names.map((name) => `file '${name}'`).join('\n')
  await writeFile(path.join(tools.folder, 'parts.txt'), list)
  const joined = ['-f', 'concat', '-i', 'parts.txt', '-c', 'copy']
  await ffmpeg(tools, [...joined, resultOf('copied groups')])
  return ''
}

async function run(tools: ToolContext, plan: RenderPlan, name: string): Promise<void> {
  await runFfmpeg(tools, compilePlan(plan, name, capsOf(tools)), () => undefined)
}

export async function ffmpeg(tools: ToolContext, args: readonly string[]): Promise<string> {
  const all = ['-nostdin', '-v', 'error', '-y', ...args]
  const { exitCode, stdout, stderrTail } = await readTool(tools, 'ffmpeg', all, 64_000_000)
  if (exitCode !== 0) throw new Error(`ffmpeg ${args.join(' ')}\n${stderrTail}`)
  return stdout
}

function capsOf({ threads, maxPixels }: ToolContext) {
  return { threads, maxPixels, maxOutputBytes: 1e11 }
}
