import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { JobError } from '../../../errors/job-error.ts'
import { stackOf } from '../../../errors/log.ts'
import { runFfmpeg } from '../../../ffmpeg/process/run-ffmpeg.ts'
import type { ToolContext } from '../../../ffmpeg/process/run-tool.ts'
import {
  compileArgs,
  type ByHand,
  type CompiledCommand,
  type OutputFile,
} from '../../../graph/compile-args.ts'
import { pipe, pipeAll, type Stream } from '../../../graph/filter-graph.ts'
import { ownGraph } from '../../../graph/share-graph.ts'
import type { JobContext } from '../../job-context.ts'
import {
  countedPictures,
  lookAtAll,
  mixedLoud,
  mostSoundSeconds,
  readLooks,
  runLooks,
  soundRate,
  type Look,
  type SeenInFilm,
} from '../look-at-film.ts'
import { picturesOn, type Grid } from './picture-grid.ts'

const mostPictures = 60

/** A graph, and how many of its first pictures to make. */
type Making = { readonly stream: Stream<'video'>; readonly count?: number }
type Small = { readonly grid: Grid; readonly timing: readonly string[] | undefined }

export type MadeInSmall = { readonly pictures: Buffer[][]; readonly isDamaged: boolean }

/** Makes small copies of the first pictures of graphs, in one run; none if it fails. */
export async function makeInSmall(
  { tools, log }: JobContext,
  made: readonly Making[],
  { grid, timing }: Small,
): Promise<MadeInSmall | undefined> {
  const outputs = outputsOf(made, grid)
  if (outputs.length === 0) return { pictures: [], isDamaged: false }
  try {
    const { stderrTail } = await runFfmpeg(
      tools,
      commandFor(outputs, timing, tools),
      () => undefined,
    )
    const pictures = await picturesMade(tools, outputs, grid)
    return pictures && { pictures, isDamaged: hasComplaint(stderrTail) }
  } catch (error) {
    tools.signal.throwIfAborted()
    log('warn', 'Pictures were not made once more', { fault: stackOf(error) })
    return undefined
  } finally {
    await remove(tools, outputs)
  }
}

function outputsOf(made: readonly Making[], grid: Grid): OutputFile[] {
  return made.map(({ stream, count = mostPictures }, i) => {
    const small = pipeAll(ownGraph(stream, i), [
      ['scale', { w: grid.width, h: grid.height, flags: 'area' }],
      ['format', { pix_fmts: 'yuv444p' }],
    ])
    const passed = ['-fps_mode:v', 'passthrough', ...countedPictures, '-frames:v', String(count)]
    const coding = ['-c:v', 'rawvideo', ...passed]
    return {
      tracks: [{ stream: small, coding }],
      muxing: ['-f', 'rawvideo'],
      path: `planned${i}.raw`,
    }
  })
}

async function picturesMade({ folder }: ToolContext, outputs: readonly OutputFile[], grid: Grid) {
  const files = outputs.map((output) => path.join(folder, output.path))
  const all = await Promise.all(files.map(async (file) => picturesOn(grid, await readFile(file))))
  return all.some((one) => one.length === 0) ? undefined : all
}

async function remove({ folder }: ToolContext, outputs: readonly OutputFile[]): Promise<void> {
  await Promise.all(outputs.map(async (one) => rm(path.join(folder, one.path), { force: true })))
}

/** Complaints about a GIF: it is read from its start each time, so any fault of it looks the same everywhere. */
const ofGif = /^\[gif @|^\s*Last message repeated/

/** The complaints of a program that are not about a GIF. */
export function complaintsIn(stderr: string): string[] {
  return stderr.split('\n').filter((line) => line.trim() !== '' && !ofGif.test(line))
}

/** Times that come twice do not mean damage. */
function hasComplaint(stderr: string): boolean {
  return complaintsIn(stderr).some((line) => !/non monoton/i.test(line))
}

/** One run for all. */
function commandFor(
  [first, ...beside]: readonly OutputFile[],
  timing: readonly string[] | undefined,
  { maxPixels }: ToolContext,
  byHand?: ByHand,
): CompiledCommand {
  if (!first) throw new Error('Nothing is made again')
  const own = { ...(timing && { timing }), ...(byHand && { byHand }), threads: 1, maxPixels }
  return compileArgs({ ...first, beside, ...own })
}

type SmallLooks = { readonly looks: readonly Look[]; readonly stem: string }
type MadeSmall = {
  readonly all: readonly Making[]
  readonly small: Small
  /** The sound to make again. */
  readonly sound: Stream<'audio'> | undefined
}
type LookedAndMade = SeenInFilm & {
  readonly planned: MadeInSmall | undefined
  /** The sound that was made, read as other sounds are. */
  readonly sound: Buffer | undefined
}

const nothing = { seen: [], complaint: undefined, planned: undefined, sound: undefined } as const

const soundPath = 'planned-sound.raw'

function soundOutput(stream: Stream<'audio'>): OutputFile {
  const heard = pipe(stream, 'aresample', { sample_rate: soundRate, ...mixedLoud })
  const coding = ['-c:a', 'pcm_s16le', '-ac', '2', '-t', String(mostSoundSeconds)]
  return { tracks: [{ stream: heard, coding }], muxing: ['-f', 's16le'], path: soundPath }
}

/** Makes the sound by itself; none if that fails, and then it is not compared. */
async function makeSound(
  { tools, log }: JobContext,
  stream: Stream<'audio'>,
): Promise<Buffer | undefined> {
  const { maxPixels } = tools
  try {
    const command = compileArgs({ ...soundOutput(stream), threads: 1, maxPixels })
    await runFfmpeg(tools, command, () => undefined)
    return await readFile(path.join(tools.folder, soundPath))
  } catch (error) {
    tools.signal.throwIfAborted()
    log('warn', 'A sound was not made once more', { fault: stackOf(error) })
    return undefined
  } finally {
    await rm(path.join(tools.folder, soundPath), { force: true })
  }
}

/**
 * Reads a film and its sources and remakes pictures of its plan in one run: starting a program takes as long as most of
 * this. If anything complains, each is done by itself, to learn whether it is about the film. `isLarge`: running all
 * decoders at once would take too much memory.
 */
export async function lookAndMake(
  context: JobContext,
  film: { readonly name: string; readonly isLarge: boolean },
  looking: SmallLooks,
  made: MadeSmall,
): Promise<LookedAndMade> {
  const tools = { ...context.tools, isBrief: true }
  if (looking.looks.length + made.all.length === 0 && !made.sound) return nothing
  const together = film.isLarge ? undefined : await inOneRun(tools, looking, made)
  if (together) return together
  const { looks, stem } = looking
  const isOwn = (look: Look): boolean => 'input' in look && look.input.name === film.name
  const [own, others] = [looks.filter(isOwn), looks.filter((look) => !isOwn(look))]
  const { seen, complaint } = await lookAtAll(tools, own, stem)
  const beside = others.length > 0 ? (await lookAtAll(tools, others, stem)).seen : []
  const seenOf = new Map([
    ...own.map((look, i) => [look, seen[i]] as const),
    ...others.map((look, i) => [look, beside[i]] as const),
  ])
  const { all, small } = made
  const planned = all.length > 0 ? await makeInSmall({ ...context, tools }, all, small) : undefined
  const sound = made.sound && (await makeSound({ ...context, tools }, made.sound))
  return {
    seen: looks.map((look) => seenOf.get(look) ?? Buffer.alloc(0)),
    complaint,
    planned,
    sound,
  }
}

async function inOneRun(
  tools: ToolContext,
  { looks, stem }: SmallLooks,
  { all, small: { grid, timing }, sound }: MadeSmall,
): Promise<LookedAndMade | undefined> {
  const outputs = outputsOf(all, grid)
  const together = sound ? [...outputs, soundOutput(sound)] : outputs
  try {
    const run = async (byHand: ByHand): Promise<string | undefined> => {
      if (together.length === 0) return runLooks(tools, byHand)
      const command = commandFor(together, timing, tools, byHand)
      const { stderrTail } = await runFfmpeg(tools, command, () => undefined)
      return complaintsIn(stderrTail)[0]
    }
    const times = together.length === 0 ? 'from each begin' : 'as stored'
    const { seen, complaint } = await readLooks(tools, looks, stem, run, times)
    if (complaint !== undefined) return undefined
    const pictures = await picturesMade(tools, outputs, grid)
    const heard = sound && (await readFile(path.join(tools.folder, soundPath)))
    const planned = all.length > 0 ? pictures && { pictures, isDamaged: false } : undefined
    return pictures && { seen, complaint, planned, sound: heard }
  } catch (error) {
    // If the complaint is about the film, the separate runs will tell.
    tools.signal.throwIfAborted()
    if (!(error instanceof JobError)) throw error
    return undefined
  } finally {
    await remove(tools, together)
  }
}
