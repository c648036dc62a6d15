import type { Check } from '../../../../worker/contract/job/check.ts'
import type { ToolContext } from '../../../ffmpeg/process/run-tool.ts'
import type { Rung } from '../../../render/output/ladder.ts'
import type { Fragment } from '../../../render/output/read-fragments.ts'
import { failed, say } from '../check-tables.ts'
import { lookAtAll } from '../look-at-film.ts'
import { faultAt } from '../shown/check-shown.ts'
import { gridFor, picturesOn } from '../shown/picture-grid.ts'

/** One of the sizes of a stream. */
export type StreamSize = {
  readonly name: string
  readonly list: string
  readonly rung: Rung
  /** As its file names it: `avc1.64001f`. */
  readonly codec: string
  /** Of its pictures, as stored. */
  readonly stored: { readonly width: number; readonly height: number }
  readonly fragments: readonly Fragment[]
}

/** Whether all sizes show what the largest shows, at the beginning of each segment. */
export async function compareSizes(
  tools: ToolContext,
  sizes: readonly StreamSize[],
): Promise<Check[]> {
  const other = sizes.find(
    ({ stored, rung }) => stored.width !== rung.width || stored.height !== rung.height,
  )
  if (other) {
    const [is, due] = [other.stored, other.rung].map(({ width, height }) => `${width} × ${height}`)
    return [failed('size', `Pictures of one of its sizes have ${is} pixels; ${due} were planned.`)]
  }
  const [largest, ...others] = sizes
  if (!largest || others.length === 0) return []
  const isMixed = others.some(({ codec }) => profileOf(codec) !== profileOf(largest.codec))
  const mixed = isMixed ? [failed('playback', 'Its sizes are stored in different profiles.')] : []
  return [...mixed, ...(await compareKeys(tools, largest, others))]
}

/** Compares the key pictures of the other sizes with those of the largest. */
async function compareKeys(
  tools: ToolContext,
  largest: StreamSize,
  others: readonly StreamSize[],
): Promise<Check[]> {
  const grid = gridFor((others.at(-1) ?? largest).rung)
  const looks = [largest, ...others].map(({ name }) => {
    return { kind: 'keys', input: { name, demuxer: 'mov' }, index: 0, grid } as const
  })
  const { seen, complaint } = await lookAtAll(tools, looks, 'sizes')
  if (complaint !== undefined)
    return [failed('decoding', `The decoder complains about one of its sizes: ${complaint}`)]
  const [planned = [], ...made] = seen.map((bytes) => picturesOn(grid, bytes))
  return others.flatMap(({ rung, fragments }, i) => {
    const film = made[i] ?? []
    const what = `Its pictures of ${rung.width} × ${rung.height}`
    if (film.length !== planned.length)
      return [failed('decoding', `${what} cannot all be decoded.`)]
    const faults = film.map((one, k) => {
      const own = planned[k]
      return own && faultAt({ grid, film: [one], planned: [own] }, false)
    })
    const place = faults.findIndex((fault) => fault)
    const fault = faults[place]
    if (!fault) return []
    const message = `${what} are not those of its largest size: ${fault.what.toLowerCase()}`
    if (faults.every((one) => one?.isGross)) return [failed('pictures', `${message}.`)]
    const at = fragments.slice(0, place).reduce((sum, { seconds }) => sum + seconds, 0)
    const stretch = { startTime: at, endTime: at }
    return [{ ...failed('pictures', `${message}, at ${say(at)} s.`), stretch }]
  })
}

function profileOf(codec: string): string {
  return codec.slice(0, 'avc1.64'.length)
}
