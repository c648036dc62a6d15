import type { Output } from '../../../../worker/contract/options/outputs/outputs.ts'
import { isPicture } from '../../../../worker/contract/options/outputs/output-pictures.ts'
import type { Cut } from '../../cut/cut-footage.ts'
import { checkPictures } from '../../check/files/check-pictures-shown.ts'
import { makeChecked, saferAfter } from '../../check/render-checked.ts'
import type { MadeOutput } from '../made-output.ts'
import { isMovingOutput, renderMoving } from './moving-output.ts'
import type { MadePictures, PictureOutput } from './open-pictures.ts'
import { isSpriteOutput, renderSprite } from './sprite-output.ts'
import { isStillOutput, renderStills } from './still-output.ts'

export const isPictureOutput = (output: Output): output is PictureOutput =>
  isPicture(output.outputFormat)

/** `place` distinguishes its files from those of other outputs. */
export async function renderPictures(
  cut: Cut,
  output: PictureOutput,
  place: number,
): Promise<MadeOutput> {
  const { made, checks } = await makeChecked(cut.context, async (fault) => {
    const own = saferAfter(fault, cut)
    const pictures = await makePictures(own, output, place)
    const { planned, shown, ...made } = pictures
    const look = async () => checkPictures(own.context.tools, made.files, { planned, shown })
    return { made, look }
  })
  if (checks.length === 0) return made
  return { ...made, told: { ...made.told, checks: [...checks] } }
}

/** Makes them without checking the result. */
export async function makePictures(
  cut: Cut,
  output: PictureOutput,
  place: number,
): Promise<MadePictures> {
  if (isMovingOutput(output)) return renderMoving(cut, output, place)
  if (isStillOutput(output)) return renderStills(cut, output, place)
  if (isSpriteOutput(output)) return renderSprite(cut, output, place)
  throw new Error(`A kind of pictures that is not known: ${output.outputFormat}`)
}
