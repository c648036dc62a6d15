import type { Output } from '../../../../worker/contract/options/outputs/outputs.ts'
import { isPicture } from '../../../../worker/contract/options/outputs/output-pictures.ts'
import type { Cut } from '../../cut/cut-footage.ts'
import type { MadeOutput } from '../made-output.ts'
import { isMovingOutput, renderMoving } from './moving-output.ts'
import type { PictureOutput } from './open-pictures.ts'
import { isSpriteOutput, renderSprite } from './sprite-output.ts'
import { isStillOutput, renderStills } from './still-output.ts'

export const isPictureOutput = (output: Output): output is PictureOutput =>
  isPicture(output.outputFormat)

/** `place` tells its files from those of other outputs. */
export async function renderPictures(
  cut: Cut,
  output: PictureOutput,
  place: number,
): Promise<MadeOutput> {
  if (isMovingOutput(output)) return renderMoving(cut, output, place)
  if (isStillOutput(output)) return renderStills(cut, output, place)
  if (isSpriteOutput(output)) return renderSprite(cut, output, place)
  throw new Error(`A kind of pictures that is not known: ${output.outputFormat}`)
}
