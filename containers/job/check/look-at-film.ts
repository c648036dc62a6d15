import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { readTool, type ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { guardedGlobals, guardedInput } from '../../graph/compile-args.ts'
import { bytesPerPicture } from './small-pictures.ts'

/** Seconds of a film. */
export type Stretch = { readonly from: number; readonly to: number }

/** One of the things that one run of ffmpeg reads for the checks. */
export type Look =
  | { readonly kind: 'keys'; readonly input: LookInput; readonly index: number }
  | {
      readonly kind: 'pictures'
      readonly input: LookInput
      readonly index: number
      readonly count: number
    }
  | { readonly kind: 'sound'; readonly input: LookInput; readonly index: number }
  | { readonly kind: 'loudness'; readonly input: LookInput; readonly index: number }

export type LookInput = {
  readonly name: string
  readonly demuxer: string
  readonly options?: readonly string[]
  /** Where reading begins; the start of the file if absent. */
  readonly from?: number
  /** How much is read: a run goes on to read and to decode what no output wants any more. */
  readonly seconds?: number
}

export const soundRate = 8_000
/** Hours of sound would take more room than they tell. */
const mostSoundSeconds = 7_200
const small = 'scale=32:18:flags=area,format=rgb24'
/** Late sound and gaps become silence. */
const heard = `aresample=${soundRate}:async=1:first_pts=0`

/**
 * Looks at everything in one run, because starting a program takes as long as most of this. The answer has the bytes of each
 * look, and what the decoders complained about.
 */
export async function lookAtAll(
  context: ToolContext,
  looks: readonly Look[],
  stem: string,
): Promise<{ readonly seen: readonly Buffer[]; readonly complaint: string | undefined }> {
  const fileOf = (i: number): string => `${stem}${i}.raw`
  const args = [
    ...guardedGlobals,
    '-y',
    ...looks.flatMap(inputOf),
    ...looks.flatMap((look, i) => outputOf(look, i, fileOf(i))),
  ]
  try {
    const { exitCode, stderrTail } = await readTool(context, 'ffmpeg', args)
    const seen = await Promise.all(
      looks.map(async (_, i) =>
        readFile(path.join(context.folder, fileOf(i))).catch(() => Buffer.alloc(0)),
      ),
    )
    const complaint = stderrTail.trim()
    return { seen, complaint: complaint === '' && exitCode === 0 ? undefined : complaint }
  } finally {
    await Promise.all(
      looks.map(async (_, i) => rm(path.join(context.folder, fileOf(i)), { force: true })),
    )
  }
}

function inputOf({ kind, input }: Look): string[] {
  const { name, demuxer, from, seconds, options = [] } = input
  const most = seconds ?? (kind === 'sound' || kind === 'loudness' ? mostSoundSeconds : undefined)
  return [
    ...['-threads', '1', ...(kind === 'keys' ? ['-skip_frame:v', 'nokey'] : [])],
    ...(from === undefined || from <= 0 ? [] : ['-ss', from.toFixed(6)]),
    ...(most === undefined ? [] : ['-t', most.toFixed(6)]),
    ...options,
    ...guardedInput(name, demuxer),
  ]
}

function outputOf(look: Look, i: number, file: string): string[] {
  const raw = (form: string): string[] => ['-f', form, `file:${file}`]
  const map = ['-map', `${i}:${look.index}`]
  switch (look.kind) {
    case 'keys':
      return [...map, '-vf', small, '-fps_mode', 'passthrough', ...raw('rawvideo')]
    case 'pictures': {
      const count = ['-frames:v', String(look.count)]
      return [...map, '-vf', small, '-fps_mode', 'passthrough', ...count, ...raw('rawvideo')]
    }
    case 'sound':
      return [...map, '-af', heard, '-ac', '1', ...raw('s16le')]
    case 'loudness': {
      const meter = `ebur128=peak=true:metadata=1,ametadata=print:file=${file}`
      return [...map, '-af', meter, '-f', 'null', '-']
    }
  }
}

/** The pictures of a look, one after the other. */
export function picturesIn(bytes: Buffer | undefined): Buffer[] {
  const count = Math.floor((bytes?.length ?? 0) / bytesPerPicture)
  return Array.from({ length: count }, (_, i) =>
    (bytes ?? Buffer.alloc(0)).subarray(i * bytesPerPicture, (i + 1) * bytesPerPicture),
  )
}
