import { type LineUp, SharedTime } from '../compare/line-up.ts'
import { drawSounds } from './compare/draw-sounds.ts'
import { type SceneFrame, around, frameAt } from '../videos/frame.ts'
import { MovingPicture } from './compare/moving-picture.ts'
import { PlayedTogether } from './compare/played-together.ts'
import { cutReasons } from '../videos/cut-reasons.ts'
import { formatTimecode } from '../design/formats.ts'
import { write } from './page/write.ts'

/** Containers and browsers round the length of a film, in seconds, differently. */
const mostOff = 0.5

const page = document.querySelector<HTMLElement>('[data-compare]')
const pictures = document.querySelector<HTMLElement>('#pictures')
const source = document.querySelector<HTMLMediaElement>('#source')
const shown = document.querySelector<HTMLMediaElement | HTMLImageElement>('#result')
if (page && pictures && source && shown) {
  const time = new SharedTime(JSON.parse(page.dataset['compare'] ?? '{}') as LineUp)
  const drawFrame = showFrame(JSON.parse(page.dataset['frames'] ?? '[]') as SceneFrame[])
  const tellMoment = showMoment(time)
  const show = (second: number, isPlaying: boolean) => {
    tellMoment(second, isPlaying)
    drawFrame(second)
  }
  const isStill = shown instanceof HTMLImageElement
  const sound = document.querySelector<HTMLMediaElement>('#result-sound')
  const result = isStill ? new MovingPicture(shown, time.line.resultSeconds) : (sound ?? shown)
  const picture = sound && !isStill ? shown : undefined
  const played = new PlayedTogether({ source, result, picture, time, show })
  if (isStill) played.hear('source')
  takeControls(page, played)
  for (const player of page.querySelectorAll<HTMLMediaElement>('video, audio')) {
    player.controls = false
    for (const name of ['error', 'loadedmetadata'] as const)
      player.addEventListener(name, () => showOther(pictures, player))
    if (player.error || player.readyState > 0) showOther(pictures, player)
  }
  if (time.line.isElsewhere) {
    const tell = (): void => tellIfMoved(source, time.line.seconds)
    for (const name of ['error', 'durationchange'] as const) source.addEventListener(name, tell)
    tell()
  }
  void drawSounds(time, {
    source: source.src,
    result: isStill ? undefined : (sound ?? shown).src,
  })
}

/** If a browser cannot show one picture, the other one is still shown. */
function showOther(pictures: HTMLElement, player: HTMLMediaElement): void {
  const figure = player.closest('figure')
  const isSeen = !(player instanceof HTMLVideoElement) || player.videoWidth > 0
  if ((!player.error && isSeen) || figure?.matches('.failed')) return
  const what = player instanceof HTMLVideoElement ? 'shows no picture' : 'plays no sound'
  document
    .querySelector('#note')
    ?.append(`This browser ${what} of the ${figure?.className ?? ''}. `)
  pictures.classList.add('alone')
  figure?.classList.add('failed')
}

/** An address may lead to another file by now, or to none. */
function tellIfMoved({ error, duration }: HTMLMediaElement, seconds: number): void {
  const isOther = Math.abs(duration - seconds) > mostOff
  const found = error
    ? 'may no longer be there'
    : isOther && 'is not as long as the one that was used'
  write('#moved', found ? `The source is played from its address; it ${found}.` : '')
}

function takeControls(page: HTMLElement, played: PlayedTogether): void {
  const wipe = page.querySelector<HTMLInputElement>('#wipe')
  const pictures = page.querySelector<HTMLElement>('#pictures')
  wipe?.addEventListener('input', () => {
    pictures?.style.setProperty('--at', `${wipe.value}%`)
    wipe.setAttribute('aria-valuetext', `${wipe.value} % source`)
  })
  const moment = page.querySelector<HTMLInputElement>('#moment')
  moment?.addEventListener('input', () => played.seek(Number(moment.value)))
  page.querySelector('#play')?.addEventListener('click', () => played.toggle())
  page.querySelector<HTMLInputElement>('#beside')?.addEventListener('change', ({ target }) => {
    pictures?.classList.toggle('beside', target instanceof HTMLInputElement && target.checked)
  })
  page.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.name === 'heard') played.hear(target.value)
  })
  page.addEventListener('click', ({ target }) => {
    const at = target instanceof HTMLElement ? target.dataset['show'] : undefined
    if (at !== undefined) played.seekResult(Number(at))
  })
  page.addEventListener('keydown', (event) => {
    if (event.key !== ' ' || (event.target !== wipe && event.target !== moment)) return
    event.preventDefault()
    played.toggle()
  })
}

/** Draws on the source the part of it that the result shows at that moment. */
function showFrame(frames: readonly SceneFrame[]): (second: number) => void {
  const part = document.querySelector('.part')
  let drawn = ''
  return (second) => {
    const frame = frameAt(frames, second)
    const now = JSON.stringify(frame) ?? 'none'
    if (!part || now === drawn) return
    drawn = now
    part.classList.toggle('none', frame === undefined)
    if (!frame) return
    part.querySelector('.outside')?.setAttribute('d', around(frame))
    for (const [side, value] of Object.entries(frame))
      part.querySelector('.frame')?.setAttribute(side, String(value))
  }
}

/** Shows the moment on the line and as a time, and whether the films play. */
function showMoment(time: SharedTime): (second: number, isPlaying: boolean) => void {
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
