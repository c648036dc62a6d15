import { ApiError } from '../../errors.ts'
import { CommandError } from '../session/command-error.ts'
import { describeFailure } from '../session/failure.ts'
import type { Session } from '../session/session.ts'

type VideoAction<Done> = {
  /** What has happened to a video afterwards: `Canceled`. */
  did: string
  act: (videoId: string) => Promise<Done>
  /** What `--json` prints of those to which it was done. */
  tell: (done: Done[]) => unknown
}

/**
 * Does something to each video. One that is gone, or has ended meanwhile, does not keep the others from it: the command fails in
 * the end, and names it.
 */
export async function doToEach<Done>(
  ids: readonly string[],
  { screen, common }: Session,
  { did, act, tell }: VideoAction<Done>,
): Promise<void> {
  const done: Done[] = []
  const refused: { videoId: string; error: ApiError }[] = []
  for (const videoId of ids) {
    try {
      done.push(await act(videoId))
      screen.note(`${screen.mark('good')} ${did} ${videoId}`)
    } catch (error) {
      // Anything else would happen to the next one too.
      const isOfVideo = error instanceof ApiError && (error.status === 404 || error.status === 409)
      if (!isOfVideo || ids.length === 1) throw error
      refused.push({ videoId, error })
    }
  }
  if (common.json) screen.printJson(tell(done))
  const [first] = refused
  if (!first) return
  throw new CommandError(
    `Not ${did.toLowerCase()}: ${refused.length} of ${ids.length} videos.`,
    describeFailure(first.error).exitCode,
    refused.map(({ videoId, error }) => `  ${videoId}  ${error.message}`),
  )
}
