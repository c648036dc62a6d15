import type { SharedTime } from '../../compare/line-up.ts'
import { cutReasons } from '../../videos/cut-reasons.ts'
import { formatTimecode } from '../../design/format-seconds.ts'

/** Shows the moment on the line, as a time, and whether both play. */
export function showMoment(time: SharedTime): (second: number, isPlaying: boolean) => void {
  const { seconds, resultSeconds } = time.line
  const lanes = document.querySelector<HTMLElement>('.lanes')
  const moment = document.querySelector<HTMLInputElement>('#moment')
  return (second, isPlaying) => {
    const cut = time.cutAt(second)
    const place = cut
      ? `cut: ${cutReasons[cut[3]]}`
      : `result ${withTenths(time.inResult(second))} / ${formatTimecode(resultSeconds)}`
    const text = `${withTenths(second)} / ${formatTimecode(seconds)}, ${place}`
    write('#clock', text)
    write('#play', isPlaying ? 'Pause' : 'Play')
    lanes?.style.setProperty('--at', `${(second / seconds) * 100}%`)
    if (moment && !moment.matches(':active')) moment.value = String(second)
    moment?.setAttribute('aria-valuetext', text)
  }
}

function withTenths(second: number): string {
  const tenths = Math.round(second * 10)
  return `${formatTimecode(tenths / 10)}.${tenths % 10}`
}

function write(selector: string, text: string): void {
  const place = document.querySelector(selector)
  if (place && place.textContent !== text) place.textContent = text
}
