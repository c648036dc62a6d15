import path from 'node:path'
import { chmod, writeFile } from 'node:fs/promises'
import type { MadeFiles } from '../graph/compile-args.ts'
import type { Stream } from '../graph/filter-graph.ts'
import { runGraph } from '../ffmpeg/process/run-ffmpeg.ts'
import type { ToolContext } from '../ffmpeg/process/run-tool.ts'
import { channels, workedRate } from './dsp/pcm.ts'
import { PcmReader } from './dsp/read-pcm.ts'
import { speechSoundPath, splitSpeech } from './speech-sound.ts'

type RecordRequest = {
  readonly sound: Stream<'audio'>
  /** The file for the raw samples; its name inside the job folder. */
  readonly path: string
  /** Whether the speech sound is recorded too, into a file that exists already. */
  readonly withSpeech: boolean
  readonly maxSeconds: number
  /** Called with the number of seconds that both files hold at least. */
  readonly onSeconds: (seconds: number) => void
  /** Receives all samples once, while they are written. */
  readonly onSamples: (samples: Float32Array) => void
}

/** How a recording ended: times jump back if the number of channels changed and ffmpeg restarted its graph. */
type Recorded = { readonly isBrokenUp: boolean }

/** Decodes a sound into a file of samples, and passes them on as they arrive. It reads no picture. */
export async function recordSound(tools: ToolContext, request: RecordRequest): Promise<Recorded> {
  const file = path.join(tools.folder, request.path)
  await makeSharedFile(file)
  const reader = await PcmReader.open(file)
  const following = follow(async () => reader.readOn(tools.signal, request.onSamples))
  try {
    const run = await runGraph(tools, recordingOf(request), ({ outSeconds }) => {
      following.next()
      request.onSeconds(outSeconds)
    })
    await following.finish()
    return { isBrokenUp: run.stderrTail.includes('non monotonically increasing dts') }
  } finally {
    await following.settled()
    await reader.close()
  }
}

/** Creates the file before ffmpeg's user writes to it, so that it can be read from the start. */
export async function makeSharedFile(file: string): Promise<void> {
  await writeFile(file, '')
  await chmod(file, 0o660)
}

function recordingOf(request: RecordRequest): MadeFiles {
  const raw = ['-c:a', 'pcm_f32le']
  const muxing = ['-t', request.maxSeconds.toFixed(3), '-f', 'f32le']
  const coding = [...raw, '-ar', String(workedRate), '-ac', String(channels)]
  const file = { muxing, path: request.path }
  if (!request.withSpeech) return { ...file, tracks: [{ stream: request.sound, coding }] }
  const [whole, spoken] = splitSpeech(request.sound)
  const speech = { tracks: [{ stream: spoken, coding: raw }], muxing, path: speechSoundPath }
  return { ...file, tracks: [{ stream: whole, coding }], beside: [speech] }
}

/** Runs `step` whenever there may be new data, but never twice at once. */
function follow(step: () => Promise<void>) {
  let running: Promise<void> | undefined
  let failure: { error: unknown } | undefined
  const run = async (): Promise<void> => {
    await step().catch((error: unknown) => {
      failure ??= { error }
    })
    running = undefined
  }
  return {
    next(): void {
      if (!failure) running ??= run()
    },
    /** Reads to the end; throws any error of an earlier step. */
    async finish(): Promise<void> {
      await running
      if (!failure) await run()
      if (failure) throw failure.error
    },
    settled: async () => running,
  }
}
