import type { CreateVideo } from '../../api-types.ts'
import type { Spool } from '../../spool.ts'
import type { Session } from '../session/session.ts'
import { findOverlays, standInAddress, standInUpload, withOverlays } from './overlay-files.ts'
import type { Source } from './video-source.ts'

/** Says what would become of a request whose sources the service can read. */
export async function foresee(
  body: CreateVideo,
  { session, spool }: { session: Session; spool: Spool },
): Promise<void> {
  const { common, screen, signal } = session
  const plan = await spool.videos.plan(body, { signal })
  if (common.json) return screen.printJson(plan)
  plan.steps.forEach((step, i) => screen.printLine(`${i + 1}. ${step}`))
  for (const line of plan.summary) screen.printLine(line)
  const kept =
    body.uploadId === undefined ? '' : ` The file is kept for a day: --upload-id ${body.uploadId}`
  screen.note(`Nothing was made.${kept}`)
}

/** Says what would be done with these sources. Files stay where they are. */
export async function showPlan(
  sources: readonly Source[],
  request: Readonly<Record<string, unknown>>,
  { session, spool }: { session: Session; spool: Spool },
): Promise<void> {
  const { common, screen, signal } = session
  const asked = withOverlays(request, await findOverlays(request), standInAddress)
  const plan = await spool.videos.check({ ...asked, ...standIn(sources) }, { signal })
  if (common.json) return screen.printJson(plan)
  plan.steps.forEach((step, i) => screen.printLine(`${i + 1}. ${step}`))
  screen.note('Nothing was sent or made.')
}

function standIn(sources: readonly Source[]): CreateVideo {
  const [first] = sources
  if (sources.length > 1) {
    const files = sources.map((source) => ({ url: addressOf(source) }))
    return { files, combine: true }
  }
  switch (first?.kind) {
    case 'url':
      return { fileUrl: first.url }
    case 'video':
      return { sourceVideoId: first.videoId }
    case 'file':
      return { uploadId: standInUpload }
    default:
      return {}
  }
}

/** A file that is joined with others gets an address of its own when it is sent. */
function addressOf(source: Source): string {
  return source.kind === 'url' ? source.url : standInAddress()
}
