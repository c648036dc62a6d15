import type { AskedScene } from '../../../contract/options/picture/reframe.ts'
import { reframeModes } from '../../../contract/options/picture/reframe.ts'
import type { ShownVideo } from '../../../store/tables/tables.ts'
import type { Request } from './build-request.ts'

type Asked = Readonly<Record<string, string | undefined>>

/** The request of a video with the frame elsewhere, as the page of the video has sent it: `mode0=crop&x0=30`. */
export function asFramed(
  request: Request,
  { request: former, result }: Pick<ShownVideo, 'request' | 'result'>,
  asked: Asked,
): Request {
  const [x, y] = [percentIn(asked['crop-x']), percentIn(asked['crop-y'])]
  if (x !== undefined && y !== undefined && former.crop)
    return { ...request, crop: { ...former.crop, x: `${x}%`, y: `${y}%` } }
  const changed = (result?.reframed?.scenes ?? []).flatMap((scene, i): AskedScene[] => {
    const { startTime, endTime } = scene
    const mode = reframeModes.find((one) => one === asked[`mode${i}`]) ?? scene.mode
    const sides = (['x', 'y'] as const).flatMap((side) => {
      const value = percentIn(asked[`${side}${i}`])
      return value === undefined ? [] : [[side, value] as const]
    })
    const isMoved = mode === 'crop' && sides.some(([side, value]) => value !== (scene[side] ?? 50))
    if (mode === scene.mode && !isMoved) return []
    const place = Object.fromEntries(sides.map(([side, value]) => [side, `${value}%`]))
    return [{ startTime, endTime, mode, ...(mode === 'crop' && place) }]
  })
  if (changed.length === 0) return request
  const others = (former.reframe?.scenes ?? []).filter(
    (one) =>
      !changed.some((scene) => one.startTime < scene.endTime && one.endTime > scene.startTime),
  )
  const scenes = [...others, ...changed].toSorted((a, b) => a.startTime - b.startTime)
  return { ...request, reframe: { scenes } }
}

function percentIn(text: string | undefined): number | undefined {
  const value = text === undefined || text.trim() === '' ? NaN : Number(text)
  return value >= 0 && value <= 100 ? value : undefined
}
