import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { cutPicture } from '../../../../containers/cuts/plan/cutting.ts'
import type { Cutting, CutResult } from '../../../../containers/cuts/cut-model.ts'
import { makeFilm, type CutFilm } from '../../../../containers/cuts/make/make-film.ts'
import { measureCutting } from '../../../../containers/cuts/plan/measure-cutting.ts'
import { measureMedia } from '../../../../containers/ffmpeg/measure-media.ts'
import type { ProbeSection } from '../../../../containers/ffmpeg/probe/probe-sections.ts'
import { runFfmpeg } from '../../../../containers/ffmpeg/process/run-ffmpeg.ts'
import { compileArgs } from '../../../../containers/graph/compile-args.ts'
import { fpsOf } from '../../../../containers/timeline/frame-rate.ts'
import type { FrameSpan } from '../../../../containers/timeline/frame-spans.ts'
import { limitedYuv } from '../../../../containers/render/color/limited-yuv.ts'
import { decideJoints, keptPieces } from '../../../../containers/timeline/joints.ts'
import type { Transition } from '../../../../worker/contract/options/picture/transition.ts'
import { aToolContext, type TestTools } from '../tool-context.ts'

type CutFilmResult = {
  readonly tools: TestTools
  readonly file: string
  readonly result: CutResult
  readonly cutting: Cutting
  readonly film: CutFilm
}

/** Transitions out of each clip, and at every cut. */
export type AskedTransitions = {
  readonly transitions?: readonly (Transition | undefined)[]
  readonly cutTransition?: Transition
}

type OneOrMore<Value> = readonly [Value, ...Value[]]

/** Finds how files are joined and cut as they are stored; a text says why they are not. */
export async function findCutting(
  sources: string | OneOrMore<string>,
  removed: readonly FrameSpan[],
  asked: AskedTransitions = {},
) {
  const tools = await aToolContext()
  const [source, ...others] = typeof sources === 'string' ? [sources] : sources
  const first = await fetchedClip(tools, source, 0)
  const { frameRate } = first.facts.video
  const later = await Promise.all(others.map(async (one, i) => fetchedClip(tools, one, i + 1)))
  const clips = [first, ...later].map((clip) => ({
    ...clip,
    frames: Math.round(clip.facts.video.endSeconds * fpsOf(frameRate)),
  }))
  const [begin, ...rest] = clips
  if (!begin) throw new Error('Nothing to cut')
  const total = clips.reduce((sum, { frames }) => sum + frames, 0)
  const timeline = { frameRate, clipFrames: clips.map(({ frames }) => frames), totalFrames: total }
  const joining = clips.map((_, i) => {
    const transition = asked.transitions?.[i]
    return { asked: transition ? { transition } : {} }
  })
  const { cutTransition } = asked
  const found = { timeline, removed, clips: joining, cutTransition, mostFrames: 10_000 }
  const { joints } = decideJoints(found)
  const kept = keptPieces({ timeline, removed: { all: removed }, joints })
  const stored = [begin, ...rest] as const
  const request = { clips: stored, frameRate, kept, joints, toYuv: limitedYuv }
  return { tools, choice: await measureCutting(tools, request) }
}

async function fetchedClip(tools: TestTools, source: string, i: number) {
  const name = `in${i}`
  await copyFile(source, path.join(tools.folder, name))
  return {
    path: name,
    facts: await measureMedia(tools, { path: name, field: 'file', maxSeconds: 100 }),
  }
}

/** Joins and cuts files as they are stored, without their sound. */
export async function cutFilm(
  sources: string | OneOrMore<string>,
  removed: readonly FrameSpan[],
  asked: AskedTransitions = {},
): Promise<CutFilmResult> {
  const { tools, choice } = await findCutting(sources, removed, asked)
  if ('why' in choice) throw new Error(choice.why)
  const { cutting } = choice
  const film = await makeFilm(tools, cutting)
  const format = cutting.source.facts.format === 'webm' ? 'webm' : 'mp4'
  const name = `out.${format}`
  const command = compileArgs({
    tracks: [{ stream: cutPicture(cutting), coding: ['-c:v', 'copy', ...film.coding] }],
    muxing: ['-f', format],
    path: name,
    threads: 2,
    maxPixels: 40_000_000,
  })
  await runFfmpeg(tools, command, () => undefined)
  const request = { path: name, field: 'result', maxSeconds: 100, isResult: true }
  const streams: ProbeSection[] = []
  const onStream = (stream: ProbeSection) => streams.push(stream)
  const facts = await measureMedia(tools, { ...request, onStream })
  const result = { name, facts, told: { of: name, streams } }
  return { tools, file: path.join(tools.folder, name), result, cutting, film }
}
