import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { cutPicture, type Cutting } from '../../../containers/cuts/cutting.ts'
import { makeFilm, type CutFilm } from '../../../containers/cuts/make-film.ts'
import { measureCutting } from '../../../containers/cuts/measure-cutting.ts'
import { measureMedia } from '../../../containers/ffmpeg/measure-media.ts'
import { runFfmpeg } from '../../../containers/ffmpeg/run-ffmpeg.ts'
import type { CutResult } from '../../../containers/cuts/prove-film.ts'
import { compileArgs } from '../../../containers/graph/compile-args.ts'
import { fpsOf } from '../../../containers/timeline/frame-rate.ts'
import type { FrameSpan } from '../../../containers/timeline/frame-spans.ts'
import { keptSpans } from '../../../containers/timeline/frame-spans.ts'
import { aToolContext, type TestTools } from './tool-context.ts'

export type CutFilmResult = {
  readonly tools: TestTools
  readonly file: string
  readonly result: CutResult
  readonly cutting: Cutting
  readonly film: CutFilm
}

/** Finds how a file is cut as it is stored; a text says why it is not. */
export async function findCutting(source: string, removed: readonly FrameSpan[]) {
  const tools = await aToolContext()
  await copyFile(source, path.join(tools.folder, 'in0'))
  const facts = await measureMedia(tools, { path: 'in0', field: 'file', maxSeconds: 100 })
  const total = Math.round(facts.video.endSeconds * fpsOf(facts.video.frameRate))
  const kept = keptSpans(removed, total)
  return { tools, choice: await measureCutting(tools, { path: 'in0', facts, kept }) }
}

/** Cuts a file as it is stored, without its sound. */
export async function cutFilm(source: string, removed: FrameSpan[]): Promise<CutFilmResult> {
  const { tools, choice } = await findCutting(source, removed)
  if ('why' in choice) throw new Error(choice.why)
  const { cutting } = choice
  const film = await makeFilm(tools, cutting)
  const name = 'out.mp4'
  const command = compileArgs({
    tracks: [{ stream: cutPicture(cutting), coding: ['-c:v', 'copy', ...film.coding] }],
    muxing: ['-f', 'mp4'],
    path: name,
    threads: 2,
    maxPixels: 40_000_000,
  })
  await runFfmpeg(tools, command, () => undefined)
  const request = { path: name, field: 'result', maxSeconds: 100, isResult: true }
  const result = { name, facts: await measureMedia(tools, request) }
  return { tools, file: path.join(tools.folder, name), result, cutting, film }
}
