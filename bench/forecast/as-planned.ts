import type { Likely } from '../../worker/contract/job/foresight.ts'
import type { Plan } from '../../worker/contract/video/video-plan.ts'
import type { VideoRecord } from '../../worker/contract/video/video-record.ts'

type Made = { readonly bytes?: number | undefined; readonly duration?: number | undefined }

export function madeOf({ outputs, videoMetadata: film }: VideoRecord): readonly Made[] {
  return outputs ?? (film ? [{ bytes: film.sizeInBytes, duration: film.duration }] : [])
}

/** Whether a video came as planned. Options that depend on the words may bring warnings that no plan can know. */
export function isAsPlanned(
  { results, warnings, unknown }: Plan,
  record: VideoRecord,
  made: unknown,
) {
  // Nothing is rendered if only the speech is wanted.
  const { picture, outputs = [] } = (made ?? {}) as MadePlan
  const all = madeOf(record)
  const told = (record.outputs ?? []).flatMap(({ name, warnings: own = [] }) =>
    own.map((warning) => `outputs (${name}): ${warning}`.slice(0, 500)),
  )
  const warned = [...(record.warnings ?? []), ...told]
  const hasWarnings =
    unknown.length > 0
      ? warnings.every((one) => warned.includes(one))
      : String(warnings) === String(warned)
  const areAlike = results.every((result, i) => {
    const own = result.name === undefined ? picture : pictureOf(outputs, result.name)
    const { duration } = all[i] ?? {}
    const { least, most, likely } = result.duration
    // A still has no length.
    const isLength =
      duration === undefined || isWithin(duration, { likely, least: least - 0.1, most: most + 0.1 })
    const isSo = own === result.picture || isUncertain(result.picture, own)
    return (own === undefined || isSo) && isLength
  })
  return results.length === all.length && areAlike && hasWarnings
}

/** Whether the number of seams is known only once the pauses are found. */
function isUncertain(planned: string | null, made: string | undefined): boolean {
  return planned === 'copied but for seams' && made?.startsWith('copied') === true
}

type MadePlan = {
  readonly picture?: string
  readonly outputs?: readonly { readonly name: string; readonly plan: { picture?: string } }[]
}

function pictureOf(outputs: MadePlan['outputs'], name: string): string | undefined {
  return outputs?.find((one) => one.name === name)?.plan.picture
}

export function isWithin(value: number, { least, most }: Likely): boolean {
  return least <= value && value <= most
}
