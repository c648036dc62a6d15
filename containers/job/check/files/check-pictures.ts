import type { Check } from '../../../../worker/contract/job/check.ts'
import type { ToolContext } from '../../../ffmpeg/process/run-tool.ts'
import type { ShownPictures } from '../../outputs/pictures/open-pictures.ts'
import type { ResultFile } from '../../render/finish-output.ts'
import { checkPicturesShown } from './check-pictures-shown.ts'
import { lookAtPictures, type PlannedPictures } from './look-at-pictures.ts'

/** Looks at the pictures of an output, and compares them with what its plan makes once more. */
export async function checkPictures(
  tools: ToolContext,
  files: readonly ResultFile[],
  { planned, shown }: { readonly planned: PlannedPictures; readonly shown: ShownPictures },
): Promise<Check[]> {
  const seen = await lookAtPictures(tools, files, planned)
  // What is missing cannot be compared.
  if (seen.checks.some(({ result }) => result === 'failed')) return [...seen.checks]
  return [...seen.checks, await checkPicturesShown(seen, shown)]
}
