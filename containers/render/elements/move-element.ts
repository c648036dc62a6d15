import type { moves } from '../../../worker/contract/options/elements/element-fields.ts'
import type { Layout, Size } from '../../../worker/contract/layout/element-layout.ts'
import { pipeAll, type Stream } from '../../graph/filter-graph.ts'
import type { OutputSpan } from './element-timing.ts'
import type { Easing } from './fade.ts'

type Move = {
  readonly type: (typeof moves)[number]
  readonly duration: number
  readonly easing?: Easing | undefined
}

type Moves = { readonly enter: Move | undefined; readonly exit: Move | undefined }

/** The moves that take any time. */
export function movesOf(effects: Partial<Moves> | undefined): Moves | undefined {
  const lasting = (move: Move | undefined) => (move && move.duration > 0 ? move : undefined)
  const { enter, exit } = { enter: lasting(effects?.enter), exit: lasting(effects?.exit) }
  return enter || exit ? { enter, exit } : undefined
}

/** Moves that take longer than the element is shown are that much faster: it would never come into its place. */
function fitting({ enter, exit }: Moves, seconds: number): Moves {
  const factor = Math.min(1, seconds / ((enter?.duration ?? 0) + (exit?.duration ?? 0)))
  const fit = (move: Move | undefined) => move && { ...move, duration: move.duration * factor }
  return { enter: fit(enter), exit: fit(exit) }
}

/** How far it is from its place, from 1 to 0 and back to 1, as expressions of the time `t`. */
function shares(moves: Moves, { start, end }: OutputSpan) {
  const { enter, exit } = fitting(moves, end - start)
  return [
    ...(enter ? [{ type: enter.type, share: `(1-${eased(enter, start)})` }] : []),
    ...(exit ? [{ type: exit.type, share: eased(exit, end - exit.duration) }] : []),
  ]
}

/** The share of a move that is done, by the curves of fades. */
function eased({ duration, easing = 'linear' }: Move, from: number): string {
  const u = `clip((t-${from.toFixed(6)})/${duration.toFixed(6)},0,1)`
  switch (easing) {
    case 'linear':
      return u
    case 'ease-in':
      return `pow(${u},2)`
    case 'ease-out':
      return `(1-pow(1-${u},2))`
    case 'ease-in-out':
      return `if(lt(${u},0.5),2*pow(${u},2),1-2*pow(1-${u},2))`
  }
}

/** Where the picture of an element is at the time `t`: on even pixels, which share a sample of colour. */
export function movingPlace(
  at: Layout['at'],
  { moves, span, size, frame }: { moves: Moves; span: OutputSpan; size: Size; frame: Size },
): { x: string; y: string } {
  const far = {
    'from-left': { x: -size.width - at.x, y: 0 },
    'from-right': { x: frame.width - at.x, y: 0 },
    'from-top': { x: 0, y: -size.height - at.y },
    'from-bottom': { x: 0, y: frame.height - at.y },
    zoom: { x: 0, y: 0 },
  }
  const along = (side: 'x' | 'y'): string => {
    const ways = shares(moves, span).flatMap(({ type, share }) =>
      far[type][side] === 0 ? [] : [`${far[type][side]}*${share}`],
    )
    return ways.length === 0 ? String(at[side]) : `2*round((${[at[side], ...ways].join('+')})/2)`
  }
  return { x: along('x'), y: along('y') }
}

/** Lets a picture grow from its middle, and shrink into it. */
export function zoomElement(
  picture: Stream<'video'>,
  { moves, span, size }: { moves: Moves; span: OutputSpan; size: Size },
): Stream<'video'> {
  const zooms = shares(moves, span).filter(({ type }) => type === 'zoom')
  if (zooms.length === 0) return picture
  const factor = zooms.map(({ share }) => `(1-${share})`).join('*')
  const side = (length: number) => `2*max(1,floor(${length}*${factor}/2+0.001))`
  return pipeAll(picture, [
    ['pad', { w: even(size.width), h: even(size.height), x: 0, y: 0, color: 'black@0' }],
    [
      'scale',
      { w: side(even(size.width)), h: side(even(size.height)), eval: 'frame', flags: 'bicubic' },
    ],
    [
      'pad',
      {
        ...{ w: even(size.width), h: even(size.height), x: '(ow-iw)/2', y: '(oh-ih)/2' },
        ...{ color: 'black@0', eval: 'frame' },
      },
    ],
  ])
}

function even(length: number): number {
  return 2 * Math.ceil(length / 2)
}
