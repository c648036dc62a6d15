import { unconfined } from '../../../containers/confine/confinement.ts'
import { first } from '../node/first-libraries.ts'
import type { CommandTrace, ToolContext } from '../../../containers/ffmpeg/process/run-tool.ts'
import { temporaryDirectory } from '../node/directories.ts'

/** A folder of its own, removed after the test. */
export const aFolder = async () => Promise.resolve(temporaryDirectory())

export type TestTools = ToolContext & { commands: CommandTrace[] }

/** What ffmpeg and ffprobe of a job share, with roomy limits. */
export async function aToolContext(changes: Partial<ToolContext> = {}): Promise<TestTools> {
  const commands: CommandTrace[] = []
  return {
    // One that is given may belong to all tests of a file, and none is made beside it.
    folder: changes.folder ?? (await aFolder()),
    signal: new AbortController().signal,
    confinement: { ...unconfined, first },
    limits: { stallMs: 300_000, wallMs: 600_000, memoryBytes: 4 * 1024 ** 3 },
    threads: 2,
    maxPixels: 40_000_000,
    onCommand: (command) => commands.push(command),
    commands,
    ...changes,
  }
}
