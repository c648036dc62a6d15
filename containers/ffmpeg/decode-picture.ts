import { guardedGlobals, guardedInput } from './compile-args.ts'
import { readTool, type ToolContext } from './run-tool.ts'

export type Decoded = { readonly isPicture: boolean; readonly stderrTail: string }

/** Whether one picture comes out of a file. Needs to know nothing of its streams, and can run while they are listed. */
export async function decodePicture(
  context: ToolContext,
  { path, demuxer }: { path: string; demuxer: string },
): Promise<Decoded> {
  const { stdout, stderrTail } = await readTool(context, 'ffmpeg', [
    ...guardedGlobals,
    ...['-threads', '1', '-max_pixels', String(context.maxPixels)],
    ...guardedInput(path, demuxer),
    // A large V is any video but a cover image, as in `pickVideo`.
    ...['-map', '0:V:0', '-frames:v', '1', '-f', 'framecrc', '-'],
  ])
  return { isPicture: /^0,/m.test(stdout), stderrTail }
}
