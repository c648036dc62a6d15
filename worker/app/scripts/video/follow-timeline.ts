import { onTime, playFrom } from './player.ts'
import { closestTo } from '../page/closest-to.ts'

/** The data that the service writes at each line: the source, and the second of the result at which it begins. */
type SourceBar = { seconds: number; begins: number; cuts: [number, number][] }

const lines = () =>
  [...document.querySelectorAll<SVGElement>('[data-timeline]')].map((svg) => ({
    svg,
    line: JSON.parse(svg.dataset['timeline'] ?? '{}') as SourceBar,
  }))

/** Shows the position of the result on the line of the source, and plays from where the line is clicked. */
export function followTimeline(): void {
  document.addEventListener('click', (event) => {
    const svg = closestTo<SVGElement>(event.target, '[data-timeline]')
    const found = lines().find((each) => each.svg === svg)
    if (!svg || !found) return
    const { left, width } = svg.getBoundingClientRect()
    playFrom(inResult(found.line, ((event.clientX - left) / width) * found.line.seconds))
  })
  onTime((seconds) => {
    for (const { svg, line } of lines()) show(svg, line, inSource(line, seconds))
  })
}

/** The moment in the result; a moment that was cut is shown as the one after it. */
function inResult({ begins, cuts }: SourceBar, at: number): number {
  const removed = cuts.reduce(
    (sum, [from, to]) => sum + Math.max(0, Math.min(at, to) - Math.min(at, from)),
    0,
  )
  return begins + at - removed
}

function inSource({ begins, cuts, seconds }: SourceBar, result: number): number | undefined {
  let at = result - begins
  for (const [from, to] of cuts) if (from <= at) at += to - from
  return at < 0 || at > seconds ? undefined : at
}

function show(svg: SVGElement, { seconds }: SourceBar, at: number | undefined): void {
  const head = svg.querySelector('.playhead')
  head?.setAttribute('visibility', at === undefined ? 'hidden' : 'visible')
  const x = String(((at ?? 0) / seconds) * 1000)
  head?.setAttribute('x1', x)
  head?.setAttribute('x2', x)
}
